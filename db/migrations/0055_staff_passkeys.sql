-- compatible with 0042

-- Passkeys of staff, as those of members, in a table of their own: what `verify` says about members' passkeys stays as strict.
create table staff_passkey (
  id               uuid primary key,
  staff_id         uuid not null references staff (id),
  credential_id    bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key       bytea not null, -- COSE
  counter          bigint not null check (counter between 0 and 4294967295),
  transports       text[] not null,
  backup_eligible  boolean not null,
  backed_up        boolean not null,
  name             bytea not null, -- sealed: the browser and system that made it
  created_at       timestamptz not null,
  last_used_at     timestamptz,
  blocked_at       timestamptz
);
create index staff_passkey_of_staff on staff_passkey (staff_id);
comment on column passkey.account_id is null;
