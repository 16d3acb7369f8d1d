-- In the transaction of the entry: whichever release writes it, it waits for the sealer once it is visible.
create or replace function queue_audit_entries() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed (entry_id) select id from added;
  return null;
end $$;
