-- Notices: texts to a member's own number about what was done with the account. Rows of their own beside the cards'
-- messages, with the same states, claims and history (0007), so that one set of rules sends both.

-- Chosen by the member's own browser at signup: who acts later may be somebody else.
alter table member_account
  add column language text not null default 'ko' check (language in ('ko', 'en'));

create table notice (
  id              bigint generated always as identity primary key,
  key             uuid not null unique, -- travels with every attempt
  account_id      uuid not null,
  purpose         text not null
                  check (purpose in ('withdrawal', 'payout_account', 'password', 'phone', 'new_device', 'stopped')),
  act_id          uuid, -- the withdrawal that it tells of
  channel         text not null default 'text' check (channel = 'text'),
  language        text not null check (language in ('ko', 'en')),
  recipient       bytea, -- sealed, like the values of its text; both are erased in time
  content         bytea,
  created_at      timestamptz not null,
  status          text not null default 'queued'
                  check (status in ('queued', 'accepted', 'delivered', 'failed', 'unknown')),
  attempt         smallint not null default 0,
  provider        text,
  message_id      text,
  reason          text,
  retryable       boolean,
  barred          text[] not null default '{}',
  avoided         text[] not null default '{}',
  due_at          timestamptz not null default now(),
  failures        smallint not null default 0,
  absences        smallint not null default 0,
  claimed_until   timestamptz,
  tried_at        timestamptz,
  first_tried_at  timestamptz,
  sent_at         timestamptz,
  settled_at      timestamptz,
  check ((act_id is not null) = (purpose in ('withdrawal', 'payout_account', 'stopped'))),
  check ((recipient is null) = (content is null)),
  check (recipient is not null or settled_at is not null),
  constraint notice_end_check
    check (settled_at is null and status <> 'delivered' and status <> 'failed'
           or settled_at is not null and status in ('delivered', 'failed', 'unknown')),
  constraint notice_claim_check check (claimed_until is null or status = 'queued' and attempt > 0),
  constraint notice_failure_check
    check ((status = 'failed') = (retryable is not null) and (status <> 'failed' or reason is not null))
);
create index notice_due on notice (channel, due_at) where settled_at is null;
create index notice_of_account on notice (account_id, purpose, created_at);
create index notice_of_act on notice (act_id) where act_id is not null;
create index notice_to_erase on notice (settled_at) where content is not null;
create trigger notice_stays before delete on notice for each row execute function refuse_change();
create trigger notice_stays_whole before truncate on notice execute function refuse_change();

create table notice_event (
  id         bigint generated always as identity primary key,
  notice_id  bigint not null,
  attempt    smallint not null,
  at         timestamptz not null,
  status     text not null,
  provider   text,
  reason     text
);
create index notice_event_notice on notice_event (notice_id, id);
create trigger notice_event_is_final before update or delete on notice_event
  for each row execute function refuse_change();
create trigger notice_event_is_final_whole before truncate on notice_event execute function refuse_change();

-- Ahead of the cards' messages: a member has a day to stop a payout, and a large purchase may queue for minutes.
create function send_new_notices() returns trigger language plpgsql as $$
begin
  perform graphile_worker.add_job('send_notices', json_build_object('channel', 'text', 'ids', json_agg(id)),
                                  priority => -10)
    from fresh having count(*) > 0;
  return null;
end $$;
create trigger notice_is_sent after insert on notice referencing new table as fresh
  for each statement execute function send_new_notices();
