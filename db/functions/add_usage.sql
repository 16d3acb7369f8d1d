-- Adds to one day's totals of a partner. Four rows a day, chosen by connection, so that busy connections do not wait
-- for one another.
create or replace function add_usage(
  p_partner integer, p_day date, p_issued bigint, p_used bigint, p_used_in_issued bigint
) returns void language sql as $$
  insert into usage_day as u (partner_id, day, shard, issued, used, used_in_issued)
  values (p_partner, p_day, (pg_backend_pid() % 4)::smallint, p_issued, p_used, p_used_in_issued)
  on conflict (partner_id, day, shard) do update
     set issued = u.issued + excluded.issued, used = u.used + excluded.used,
         used_in_issued = u.used_in_issued + excluded.used_in_issued
$$;
