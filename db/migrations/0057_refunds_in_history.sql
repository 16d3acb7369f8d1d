-- compatible with 0042
-- outside a transaction: built while purchases go on. If it is interrupted, it begins again.

-- A member's history has refunds too. The release before asks for fewer kinds, which this serves as well.
drop index concurrently if exists transfer_to_holder;
create index concurrently transfer_to_holder on transfer (credit_account, id)
  where kind in ('redeem', 'grant', 'buy', 'sell', 'withdraw_back', 'join', 'adjust_up', 'refund');
drop index concurrently if exists transfer_to_member;
