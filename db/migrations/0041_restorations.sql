-- compatible with 0040
-- allowed table lock: a trigger of a new table names truncate

-- What the service knows about a restore to an earlier time.

-- Up to `certain_until` the database is whole; what came after it may be lost. `restored_to` is the time that was asked for, if
-- any. All times are real but `service_at`, which is the service's clock: rows that are older were there before the restore.
create table restoration (
  id             uuid primary key,
  restored_to    timestamptz,
  certain_until  timestamptz not null,
  recorded_at    timestamptz not null default now(),
  recorded_by    text not null,
  service_at     timestamptz not null,
  -- All invariants were found to hold.
  verified_at    timestamptz,
  -- Messages from before may be sent again: the providers' lists were read, or an operator said so.
  released_at    timestamptz,
  released_by    text,
  check (certain_until <= recorded_at),
  check ((released_at is null) = (released_by is null))
);
create index restoration_newest on restoration (service_at);
create trigger restoration_stays before delete on restoration for each row execute function refuse_change();
create trigger restoration_stays_whole before truncate on restoration execute function refuse_change();

-- How far the list of a provider was read. `begun_at` and `cursor` are null before its first page.
create table restoration_listing (
  restoration_id  uuid not null references restoration (id),
  provider        text not null,
  begun_at        timestamptz,
  cursor          text,
  finished_at     timestamptz,
  -- Why it could not be read the last time.
  trouble         text,
  primary key (restoration_id, provider)
);

-- Attempts that a provider knows and this database does not: they were lost with what came after a backup. A key is the
-- message's own. The recipient is masked.
create table lost_attempt (
  key         text collate "C" not null,
  attempt     smallint not null check (attempt > 0),
  provider    text not null,
  channel     text not null,
  message_id  text,
  recipient   text,
  sent_at     timestamptz not null,
  delivered   boolean not null,
  seen_at     timestamptz not null default now(),
  primary key (key, attempt, provider)
);
