-- outside a transaction: built while purchases go on. Cut off, it is begun again, so each one that was left half built goes.
-- compatible with 0042

-- The close compares the cards that were voided or expired on a day with the transfers. A card that is neither costs nothing here.
drop index concurrently if exists gift_card_voided;
create index concurrently gift_card_voided on gift_card (voided_at, id) where voided_at is not null;
drop index concurrently if exists gift_card_expired_at;
create index concurrently gift_card_expired_at on gift_card (expired_at, id) where expired_at is not null;
