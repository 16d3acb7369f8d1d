-- compatible with 0042
-- outside a transaction: built while purchases go on. Cut off, it is begun again, so each one that was left half built goes.

-- A member's history has adjustments too. The release before asks for fewer kinds, which these serve as well.
drop index concurrently if exists transfer_from_member;
create index concurrently transfer_from_member on transfer (debit_account, id)
  where kind in ('buy', 'sell', 'withdraw', 'join', 'waive', 'adjust_down');
drop index concurrently if exists transfer_to_member;
create index concurrently transfer_to_member on transfer (credit_account, id)
  where kind in ('redeem', 'grant', 'buy', 'sell', 'withdraw_back', 'join', 'adjust_up');
drop index concurrently if exists transfer_from_holder;
drop index concurrently if exists transfer_to_holder;
