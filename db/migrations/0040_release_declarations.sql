-- compatible with 0039

-- A release declares which earlier ones may serve its schema. Such a release serves a newer schema and applies nothing.
-- Null in rows from before there were declarations.
alter table schema_migration add column compatible_with integer;
-- The release that applied it.
alter table schema_migration add column release text;

-- What the guards and functions of a release are, signed with the key ring. By it `verify` of an earlier release judges the
-- guards of a newer schema, which it does not know itself. A thief in the database cannot sign.
create table release_declaration (
  schema_version     integer not null,
  functions_version  integer not null,
  release            text not null,
  definitions        text not null,
  signature          bytea not null check (octet_length(signature) = 32),
  declared_at        timestamptz not null default now(),
  primary key (schema_version, functions_version)
);
