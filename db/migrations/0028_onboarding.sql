-- A visitor on the way to registering a card, logging in by phone or signing up: the card in hand, what was typed, the
-- verification that runs. One row per visitor, found by the hash of an id that only the visitor's browser has.
create table onboarding (
  id             uuid primary key,
  hash           bytea not null check (length(hash) = 32),
  -- The id before the last change. It reads nothing; it can only repeat that change, should its answer have been lost.
  previous_hash  bytea check (length(previous_hash) = 32),
  created_at     timestamptz not null,
  -- Ten minutes from the last use.
  expires_at     timestamptz not null,
  content        bytea not null, -- sealed
  constraint onboarding_lasts_an_hour check (expires_at <= created_at + interval '1 hour')
);
create unique index onboarding_hash on onboarding (hash);
create index onboarding_previous on onboarding (previous_hash) where previous_hash is not null;
create index onboarding_age on onboarding (expires_at);

-- A member may have no login id and no password: then the phone is the way in. A password needs an id to go with it.
alter table member_account
  drop constraint member_account_check,
  alter column login_id drop not null,
  alter column password_changed_at drop not null,
  add constraint member_account_closed_has_no_password check (closed_at is null or password is null) not valid,
  add constraint member_account_password_has_an_id check (password is null or login_id is not null) not valid;
