-- A database that was restored may hand out serials again whose cards it has. Jumps past all that can have been issued
-- since its backup. The lock keeps two jumps from taking one back.
create or replace function skip_serial_blocks(p_blocks bigint) returns bigint language plpgsql as $$
begin
  perform pg_advisory_xact_lock(4857140);
  return setval('gift_card_serial_block', (select last_value from gift_card_serial_block) + p_blocks);
end $$;
