-- outside a transaction: built while the service runs. Cut off, it is begun again, so each one that was left half built goes.
-- compatible with 0042

-- What happened to one subject, newest first, a page at a time: a partner of many years has many entries.
drop index concurrently if exists audit_entry_of_subject;
create index concurrently audit_entry_of_subject on audit_entry (subject, at, id);
drop index concurrently if exists audit_entry_subject;

-- The hash keys of one link, for support.
drop index concurrently if exists hash_key_of_user;
create index concurrently hash_key_of_user on hash_key (partner_user_id, issued_at);
