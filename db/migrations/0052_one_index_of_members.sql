-- compatible with 0042
-- outside a transaction: dropped while signups go on.

-- `member_listed` begins with the same column, and serves both.
drop index concurrently if exists member_created;
