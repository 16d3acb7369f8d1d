-- outside a transaction: built while purchases go on. Cut off, it is begun again, so each one that was left half built goes.

-- How support finds people.
drop index concurrently if exists partner_user_phone;
create index concurrently partner_user_phone on partner_user (phone_index) where phone_index is not null;
drop index concurrently if exists partner_user_name;
create index concurrently partner_user_name on partner_user (name_index) where name_index is not null;
drop index concurrently if exists member_account_phone;
create index concurrently member_account_phone on member_account (phone_index) where phone_index is not null;
drop index concurrently if exists member_account_name;
create index concurrently member_account_name on member_account (name_index) where name_index is not null;
-- Those that are still to be indexed.
drop index concurrently if exists partner_user_unindexed;
create index concurrently partner_user_unindexed on partner_user (id) where search_key is null;
drop index concurrently if exists member_account_unindexed;
create index concurrently member_account_unindexed on member_account (id) where search_key is null and details is not null;

-- The audit log, newest first: all of it, one person's acts, one kind of act.
drop index concurrently if exists audit_entry_at;
create index concurrently audit_entry_at on audit_entry (at, id);
drop index concurrently if exists audit_entry_actor;
create index concurrently audit_entry_actor on audit_entry (actor, at, id);
drop index concurrently if exists audit_entry_action;
create index concurrently audit_entry_action on audit_entry (action, at, id);

-- All accounts of a person, the closed ones too.
drop index concurrently if exists member_account_of_member;
create index concurrently member_account_of_member on member_account (member_id);
