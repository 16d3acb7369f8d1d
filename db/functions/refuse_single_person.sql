-- One person for both of two: a sandbox may, since its money is play money. Whoever writes to a live database may not.
create or replace function refuse_single_person() returns trigger language plpgsql as $$
begin
  if not exists (select from installation where mode = 'sandbox') then
    raise exception 'one person for both of two is for a sandbox'
      using errcode = 'check_violation', constraint = tg_table_name || '_single_person';
  end if;
  return new;
end $$;
