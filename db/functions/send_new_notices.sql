-- Ahead of the cards' messages: a member has a day to stop a payout, and a large purchase may queue for minutes.
create or replace function send_new_notices() returns trigger language plpgsql as $$
begin
  perform add_message_jobs('send_notices', -10, now(),
                           array[json_build_object('channel', 'text', 'ids', json_agg(id), 'together', true)])
    from fresh having count(*) > 0;
  return null;
end $$;
