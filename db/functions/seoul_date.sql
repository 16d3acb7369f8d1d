-- Days are Seoul days.
create or replace function seoul_date(moment timestamptz) returns date language sql immutable
  as $$ select (moment at time zone 'Asia/Seoul')::date $$;
