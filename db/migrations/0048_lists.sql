-- compatible with 0042
-- outside a transaction: built while purchases go on. Cut off, it is begun again, so each one that was left half built goes.

-- The lists of the console, each in the order of a time that never changes. The columns behind the key are filters that are
-- decided inside the index: a rare amount costs a scan of index entries, and no visit of a card.
drop index concurrently if exists gift_card_listed;
create index concurrently gift_card_listed on gift_card (issued_at, id, status, amount);
drop index concurrently if exists gift_card_of_partner;
create index concurrently gift_card_of_partner on gift_card (partner_id, issued_at, id, status, amount);
-- Cards used on some days: one entry for each redemption.
drop index concurrently if exists gift_card_used;
create index concurrently gift_card_used on gift_card (used_at, id) where used_at is not null;
drop index concurrently if exists member_listed;
create index concurrently member_listed on member (created_at, id);
-- It begins with the same column.
drop index concurrently if exists member_created;
drop index concurrently if exists partner_user_listed;
create index concurrently partner_user_listed on partner_user (registered_at, id, status);
drop index concurrently if exists partner_user_of_partner;
create index concurrently partner_user_of_partner on partner_user (partner_id, registered_at, id, status);
-- Messages are listed by id; these are the few that somebody looks for.
drop index concurrently if exists delivery_failed;
create index concurrently delivery_failed on delivery (id) where status = 'failed';
drop index concurrently if exists trade_order_listed;
create index concurrently trade_order_listed on trade_order (at, id, side, metal, total);
drop index concurrently if exists withdrawal_listed;
create index concurrently withdrawal_listed on withdrawal (requested_at, id, status, amount);
