-- outside a transaction: built while purchases go on. Cut off, it is begun again, so each one that was left half built goes.

-- A member's movements, newest first. Purchases of cards are not in it and do not pay for it.
drop index concurrently if exists transfer_from_holder;
create index concurrently transfer_from_holder on transfer (debit_account, id)
  where kind in ('buy', 'sell', 'withdraw', 'join', 'waive');
drop index concurrently if exists transfer_to_holder;
create index concurrently transfer_to_holder on transfer (credit_account, id)
  where kind in ('redeem', 'grant', 'buy', 'sell', 'withdraw_back', 'join');
