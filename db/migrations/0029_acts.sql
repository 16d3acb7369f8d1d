-- outside a transaction: built while purchases go on. Cut off, it is begun again, so one that was left half built goes.

-- All movements of one act, by its group: of the kinds that can move more than one asset. Cards are not in it, neither
-- bought nor registered.
drop index concurrently if exists transfer_of_act;
create index concurrently transfer_of_act on transfer (group_id)
  where kind in ('buy', 'sell', 'grant', 'join', 'waive');
