-- A step of write_purchases: waits until no other transaction holds these accounts, and lets go of them. In the usual order a batch that
-- waits for a partner's account already holds the account of outstanding cards, which the purchases of others need.
create or replace function await_accounts(p_accounts bigint[]) returns void language plpgsql as $$
begin
  perform 1 from account where id = any (p_accounts) order by id for no key update;
  -- What follows is rolled back with the block: that releases the locks.
  raise exception using errcode = 'IN001';
exception when sqlstate 'IN001' then
  null;
end $$;
