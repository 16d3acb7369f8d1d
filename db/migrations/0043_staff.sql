-- compatible with 0042

-- The people who work in the console: the operator's own, and those of a partner, whose tenant is that partner. A row stays for
-- good: audit entries name a person by the email.
create table staff (
  id            uuid primary key,
  email         text collate "C" not null unique check (email = lower(email) and length(email) between 3 and 254),
  name          text not null check (length(name) between 1 and 100),
  role          text not null,
  partner_id    integer references partner (id),
  status        text not null default 'active' check (status in ('active', 'suspended')),
  -- A password is never enough alone: it comes with a TOTP secret, sealed.
  password      text,
  totp          bytea,
  -- Offered to this person and not yet confirmed by a code, sealed.
  totp_next     bytea,
  -- The time step of the last code that was right: a code counts once.
  totp_step     bigint,
  -- Who this is at the single sign-on provider, from the first sign-in on.
  oidc_issuer   text,
  oidc_subject  text,
  created_at    timestamptz not null,
  constraint staff_role_of_tenant check (
    case when partner_id is null then role in ('admin', 'finance', 'support', 'viewer')
         else role in ('partner_manager', 'partner_developer', 'partner_viewer') end),
  constraint staff_password_with_totp check ((password is null) = (totp is null)),
  constraint staff_oidc_whole check ((oidc_issuer is null) = (oidc_subject is null))
);
create unique index staff_by_subject on staff (oidc_issuer, oidc_subject) where oidc_subject is not null;
create index staff_of_partner on staff (partner_id) where partner_id is not null;

-- As web_session: found by a hash of the cookie, which changes with every proof of identity.
create table staff_session (
  hash          bytea primary key check (length(hash) = 32),
  id            uuid not null unique,
  staff_id      uuid not null references staff (id),
  created_at    timestamptz not null,
  seen_at       timestamptz not null,
  ended_at      timestamptz,
  -- When this person last proved who they are in this session; null after a single sign-on that does not say.
  proven_at     timestamptz,
  device_label  text not null check (length(device_label) <= 60),
  address       text check (length(address) <= 60)
);
create index staff_session_of_staff on staff_session (staff_id);
create index staff_session_age on staff_session (created_at);

-- Codes for a lost authenticator, shown once. Each is good once.
create table staff_recovery_code (
  staff_id  uuid not null references staff (id),
  hash      bytea not null check (length(hash) = 32),
  used_at   timestamptz,
  primary key (staff_id, hash)
);

-- The one-time link of a new staff member, or of one whose ways in were reset. A newer link replaces it.
create table staff_link (
  id          uuid primary key,
  hash        bytea not null unique check (length(hash) = 32),
  staff_id    uuid not null references staff (id),
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  used_at     timestamptz
);
create unique index staff_link_open on staff_link (staff_id) where used_at is null;

-- Which staff member an account of a machine is. An account is of one person; a person may have several.
create table staff_account (
  account   text collate "C" primary key check (length(account) between 1 and 200),
  staff_id  uuid not null references staff (id),
  bound_at  timestamptz not null,
  bound_by  text not null
);
create index staff_account_of_staff on staff_account (staff_id);

comment on column passkey.account_id is 'a member_account, or a staff member';
