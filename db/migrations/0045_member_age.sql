-- outside a transaction: built while signups go on. Cut off, it is begun again, so each one that was left half built goes.
-- compatible with 0042

drop index concurrently if exists member_created;
create index concurrently member_created on member (created_at);
