-- The advisory lock of the keys in force. A transaction that writes sealed values holds it shared; a rotation takes it
-- exclusively to change the keys.
create or replace function key_lock() returns bigint language sql immutable as $$ select 4857102::bigint $$;
