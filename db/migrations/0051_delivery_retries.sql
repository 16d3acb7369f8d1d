-- compatible with 0042

-- Many failed messages that a person asked to send again: what they have in common, and how far the worker has come.
create table delivery_retry (
  id            uuid primary key,
  -- Null: any.
  channel       text check (channel in ('alimtalk', 'text')),
  provider      text,
  reason        text,
  -- Days in Seoul on which the messages failed, both included.
  failed_from   date not null,
  failed_to     date not null check (failed_to >= failed_from),
  asked_by      text not null,
  why           text not null,
  created_at    timestamptz not null,
  status        text not null default 'running' check (status in ('running', 'stopped', 'done')),
  ended_at      timestamptz,
  ended_by      text,
  -- Messages that were there when it was asked for, and the last of them. `through_id`: every one up to it was looked at.
  total         integer not null check (total >= 0),
  last_id       bigint not null,
  through_id    bigint not null default 0,
  queued        integer not null default 0,
  -- Why others were left alone, and how many: {"arrived": 3}.
  skipped       jsonb not null default '{}',
  check ((status = 'running') = (ended_at is null)),
  check ((ended_at is null) = (ended_by is null))
);
-- One at a time: two would look at the same messages.
create unique index delivery_retry_running on delivery_retry (status) where status = 'running';
create index delivery_retry_newest on delivery_retry (created_at);
