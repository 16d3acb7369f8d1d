-- How new the texts of a release are among those of one schema version (db/functions.lock.json).
alter table schema_function add column functions_version integer not null default 0;
