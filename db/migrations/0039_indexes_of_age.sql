-- outside a transaction: built while purchases go on. Cut off, it is begun again, so each one that was left half built goes.

-- What is forgotten by age. A BRIN index keeps the oldest time that a range of pages has ever held. Once new rows take the space
-- of deleted ones every range seems old, and each run reads the whole table.
drop index concurrently if exists idempotency_key_age;
create index concurrently idempotency_key_age on idempotency_key (created_at);
drop index concurrently if exists redemption_key_age;
create index concurrently redemption_key_age on redemption_key (created_at);
drop index concurrently if exists hash_key_age;
create index concurrently hash_key_age on hash_key (issued_at);
drop index concurrently if exists web_session_age;
create index concurrently web_session_age on web_session (created_at);
drop index concurrently if exists signup_trace_age;
create index concurrently signup_trace_age on signup_trace (at);
drop index concurrently if exists former_details_age;
create index concurrently former_details_age on former_details (replaced_at);
drop index concurrently if exists cancel_reason_age;
create index concurrently cancel_reason_age on cancel_reason (at);

-- Paid withdrawals whose bank account is still to be erased.
drop index concurrently if exists withdrawal_to_erase;
create index concurrently withdrawal_to_erase on withdrawal (settled_at) where destination is not null;
