-- compatible with 0042
-- outside a transaction: built while the service goes on. If it is interrupted, it begins again.

-- A private part that has been kept long enough leads to its entry.
drop index concurrently if exists audit_entry_private;
create unique index concurrently audit_entry_private on audit_entry (private_id) where private_id is not null;
