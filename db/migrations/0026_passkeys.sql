-- Passkeys: keys of a member's own devices to log in with, beside the password.
create table passkey (
  id               uuid primary key,
  account_id       uuid not null,
  credential_id    bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key       bytea not null, -- COSE
  -- How often its device says it was used. Synced passkeys stay at zero.
  counter          bigint not null check (counter between 0 and 4294967295),
  transports       text[] not null,
  backup_eligible  boolean not null,
  backed_up        boolean not null,
  name             bytea not null, -- sealed: the member's own words
  created_at       timestamptz not null,
  last_used_at     timestamptz,
  -- Its counter went back, so that a copy may be about: it opens nothing any more.
  blocked_at       timestamptz
);
create index passkey_of_account on passkey (account_id);

-- A ceremony that a browser began, found by a hash of its cookie. It goes when it is used, right or wrong.
create table passkey_challenge (
  hash        bytea primary key check (length(hash) = 32),
  session_id  uuid, -- of a passkey that is being added; null to log in
  challenge   text not null,
  expires_at  timestamptz not null
);
create index passkey_challenge_age on passkey_challenge (expires_at);

-- Members are told of their passkeys.
alter table notice drop constraint notice_purpose_check;
alter table notice add constraint notice_purpose_check check
  (purpose in ('withdrawal', 'payout_account', 'password', 'phone', 'new_device', 'stopped',
               'passkey_added', 'passkey_removed', 'passkey_blocked')) not valid;
