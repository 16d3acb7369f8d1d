// SQL that holds purchases at the database, where they have no lock yet: others would wait for one a second and a half, and no
// longer. They go on once the table is empty.
export const HOLD = `do $do$ begin
  create table hold as select true as on;
  create function wait_for_release() returns trigger language plpgsql as $$
    begin
      while exists (select from hold) loop perform pg_sleep(0.02); end loop;
      return null;
    end $$;
  create trigger wait_for_release after insert on idempotency_key execute function wait_for_release();
end $do$`

export const HELD = `select count(*)::int as held from pg_stat_activity
  where datname = current_database() and wait_event = 'PgSleep'`

export const RELEASE = 'delete from hold'
