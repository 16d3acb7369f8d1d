-- A new message gets its jobs in the same commit. Jobs hold ids and nothing else, one per channel and at most 200 messages.
-- `together`: another job may take them over.
create or replace function send_new_deliveries() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_jobs json[];
begin
  select array_agg(json_build_object('channel', job.channel, 'ids', job.ids, 'together', true))
    into v_jobs
    from (select channel, json_agg(id) as ids from fresh where settled_at is null
           group by channel, (id - (select min(id) from fresh)) / 200) job;
  if v_jobs is not null then
    perform add_message_jobs('send_deliveries', 0, now(), v_jobs);
  end if;
  return null;
end $$;
