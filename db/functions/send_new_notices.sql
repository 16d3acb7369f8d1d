-- Ahead of the cards' messages: a member has a day to stop a payout, and a large purchase may queue for minutes.
create or replace function send_new_notices() returns trigger language plpgsql as $$
begin
  perform graphile_worker.add_job('send_notices', json_build_object('channel', 'text', 'ids', json_agg(id), 'together', true),
                                  priority => -10)
    from fresh having count(*) > 0;
  return null;
end $$;
