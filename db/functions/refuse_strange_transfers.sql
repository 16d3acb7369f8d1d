-- A transfer joins only accounts that its kind may join. Once per statement, however many transfers it posts, and once per
-- pair of accounts: a batch of purchases has one. The offset keeps the accounts probes of their index; joined, the planner
-- might read what all people hold.
-- And nothing of a frozen member moves. Posting holds the accounts' locks, and a freeze takes them all. A holder without
-- accounts has nothing to move, and a first card waits for the account that a freeze opens. What comes back from a
-- withdrawal is the operator's refusal or the member's stop, so it may.
create or replace function refuse_strange_transfers() returns trigger language plpgsql as $$
declare
  v_fine    boolean;
  v_join    boolean;
  v_member  boolean;
begin
  select bool_and(coalesce(transfer_may_join(k.kind, k.asset, k.debit, k.credit), false)), bool_or(k.kind = 'join'),
         bool_or(k.kind in ('redeem', 'buy', 'sell', 'withdraw', 'join', 'waive', 'adjust_up', 'adjust_down', 'refund'))
    into v_fine, v_join, v_member
    from (select t.kind, t.asset, (select a.kind from account a where a.id = t.debit_account) as debit,
                 (select a.kind from account a where a.id = t.credit_account) as credit
            from (select distinct kind, asset, debit_account, credit_account from fresh) t offset 0) k;
  -- Between a member and one of the member's own links, and nobody else.
  if v_fine and v_join then
    v_fine := not exists (
      select from (select (select a.holder_id from account a where a.id = t.debit_account) as giver,
                          (select a.holder_id from account a where a.id = t.credit_account) as taker
                     from fresh t where t.kind = 'join' offset 0) h
       where (select count(*) from partner_user u where u.id = h.giver and u.member_id = h.taker)
           + (select count(*) from partner_user u where u.id = h.taker and u.member_id = h.giver) = 0);
  end if;
  if not v_fine then
    raise exception 'a transfer of this kind does not join these accounts'
      using errcode = 'check_violation', constraint = 'transfer_joins';
  end if;
  -- Hardly anybody is frozen: then this is one look at an index that has nothing in it.
  if v_member and exists (select from member_freeze where thawed_at is null) then
    perform 1 from (select a.holder_id from fresh t
                     cross join lateral (select a.holder_id from account a where a.id = t.debit_account
                                         union all
                                         select a.holder_id from account a where a.id = t.credit_account) a
                     where t.kind in ('redeem', 'buy', 'sell', 'withdraw', 'join', 'waive', 'adjust_up', 'adjust_down', 'refund')
                       and a.holder_id is not null offset 0) h
     where exists (select from member_freeze f
                    where f.thawed_at is null
                      and f.member_id = coalesce((select u.member_id from partner_user u where u.id = h.holder_id),
                                                 h.holder_id));
    if found then
      raise exception 'the member is frozen' using errcode = 'check_violation', constraint = 'member_is_frozen';
    end if;
  end if;
  return null;
end $$;
