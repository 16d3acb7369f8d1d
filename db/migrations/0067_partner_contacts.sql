-- compatible with 0063
-- earlier releases cannot judge: notice_has_its_account_and_act

-- Who is told at a partner. Sealed: name, phone, email. A removed one keeps its row, since notices name it.
create table partner_contact (
  id          uuid primary key,
  partner_id  integer not null references partner (id),
  details     bytea,
  added_at    timestamptz not null,
  removed_at  timestamptz,
  check ((details is null) = (removed_at is not null))
);
create index partner_contact_of_partner on partner_contact (partner_id) where removed_at is null;
create trigger partner_contact_stays before delete on partner_contact for each row execute function refuse_change();

-- A partner's use of its credit rose to a level, and fell below it again. At most one is open for each level, so that each
-- crossing is told once. told_at: null until a contact was sent a message.
create table credit_alert (
  id          bigint generated always as identity primary key,
  partner_id  integer not null references partner (id),
  level       smallint not null check (level in (80, 95)),
  raised_at   timestamptz not null,
  told_at     timestamptz,
  cleared_at  timestamptz
);
create unique index credit_alert_open on credit_alert (partner_id, level) where cleared_at is null;

-- Notices of these two purposes go to a partner's contact: account_id is the contact's.
alter table notice drop constraint notice_purpose_check;
alter table notice add constraint notice_purpose_check check
  (purpose in ('withdrawal', 'payout_account', 'password', 'phone', 'new_device', 'stopped', 'passkey_added', 'passkey_removed',
               'passkey_blocked', 'credit_80', 'credit_95')) not valid;
