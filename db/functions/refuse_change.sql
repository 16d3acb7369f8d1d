-- Hot rows carry no foreign keys (decisions/0004): instead nothing that they point at can ever be removed.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is not allowed', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;
