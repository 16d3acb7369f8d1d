-- Which text of each function and view of db/functions this database has, and the schema version of the release that applied
-- it. The rows are written by the migration runner.
create table schema_function (
  name            text primary key,
  checksum        text not null,
  schema_version  integer not null,
  applied_at      timestamptz not null default now()
);
