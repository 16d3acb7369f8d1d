-- An older release ends every message of a cancelled card. The message that tells of it stays queued until a worker of a
-- release that knows it takes it.
create or replace function skip_update() returns trigger language plpgsql as $$
begin
  return null;
end $$;
