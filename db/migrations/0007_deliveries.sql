-- How a card reaches its recipient: who it comes from and in which words, each message's state and its history, and the
-- job that sends it, added in the commit that writes the message.

-- What recipients read instead of the partner's name, and in which language.
alter table partner
  add column sender_name       text check (length(sender_name) between 1 and 40),
  add column message_language  text not null default 'ko' check (message_language in ('ko', 'en'));

-- What each provider calls the approved templates. Without a partner: for every partner that has none of its own.
create table message_template (
  partner_id   integer references partner (id),
  provider     text not null check (provider in ('solapi', 'nhn')),
  purpose      text not null check (purpose in ('gift', 'reminder')),
  language     text not null check (language in ('ko', 'en')),
  template_id  text not null check (length(template_id) between 1 and 100),
  unique nulls not distinct (partner_id, provider, purpose, language)
);

-- Two clocks: what people are shown is the service's; when to try next, and what a provider is asked about, is real.
-- A card's messages are told apart by channel, purpose and ordinal: together they are the key that travels with
-- every attempt, so that even a database brought back from a backup cannot take one message for another.
alter table delivery
  add column purpose        text not null default 'gift' check (purpose in ('gift', 'resend', 'reminder')),
  add column ordinal        smallint not null default 0,
  add column attempt        smallint not null default 0,  -- how often it was tried
  add column provider       text,         -- of the last attempt
  add column message_id     text,         -- what that provider calls it
  add column reason         text,         -- of the present status, in our words
  add column retryable      boolean,      -- of a failure: whether sending it again can help
  add column barred         text[] not null default '{}',  -- providers that will never take it
  add column avoided        text[] not null default '{}',  -- providers that did not take it just now
  -- Real: when to send it, or to ask about it. What an earlier release left is overdue, and found by the first sweep.
  add column due_at         timestamptz not null default now() - interval '1 minute',
  add column failures       smallint not null default 0,  -- attempts that a carrier could not deliver
  add column absences       smallint not null default 0,  -- attempts whose outcome was unknown, and that never arrived
  add column claimed_until  timestamptz,  -- real: an attempt is under way
  add column tried_at       timestamptz,  -- real: when the last attempt began
  add column first_tried_at timestamptz,  -- real: when the first one did
  add column sent_at        timestamptz,  -- of the last, by the service's clock
  add column settled_at     timestamptz;  -- nothing more is done about it
alter table delivery alter column due_at set default now();
alter table delivery drop constraint delivery_status_check;
-- Holds for what is there, which is all queued: nothing is read to see it.
alter table delivery
  add constraint delivery_status_check
    check (status in ('queued', 'accepted', 'delivered', 'failed', 'unknown')) not valid,
  add constraint delivery_end_check
    check (settled_at is null and status <> 'delivered' and status <> 'failed'
           or settled_at is not null and status in ('delivered', 'failed', 'unknown')) not valid,
  add constraint delivery_claim_check check (claimed_until is null or status = 'queued' and attempt > 0) not valid,
  add constraint delivery_failure_check
    check ((status = 'failed') = (retryable is not null) and (status <> 'failed' or reason is not null)) not valid;

create unique index delivery_of_card on delivery (card_id, channel, purpose, ordinal);
drop index delivery_card;
create index delivery_due on delivery (channel, due_at) where settled_at is null;
create trigger delivery_stays before delete on delivery for each row execute function refuse_change();
create trigger delivery_stays_whole before truncate on delivery execute function refuse_change();

-- Every change of a message's state.
create table delivery_event (
  id           bigint generated always as identity primary key,
  delivery_id  bigint not null,
  attempt      smallint not null,
  at           timestamptz not null,
  status       text not null,
  provider     text,
  reason       text
);
create index delivery_event_delivery on delivery_event (delivery_id, id);
create trigger delivery_event_is_final before update or delete on delivery_event
  for each row execute function refuse_change();
create trigger delivery_event_is_final_whole before truncate on delivery_event execute function refuse_change();

-- Whoever writes a message has it sent: jobs hold ids and nothing else, one per channel and at most 200 messages, with
-- one notification for all of them.
create function send_new_deliveries() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_jobs graphile_worker.job_spec[];
begin
  select array_agg(row('send_deliveries', json_build_object('channel', job.channel, 'ids', job.ids),
                       null, null, null, null, null, null)
                     ::graphile_worker.job_spec)
    into v_jobs
    from (select channel, json_agg(id) as ids from fresh where settled_at is null
           group by channel, (id - (select min(id) from fresh)) / 200) job;
  if v_jobs is not null then
    perform graphile_worker.add_jobs(v_jobs);
  end if;
  return null;
end $$;
create trigger delivery_is_sent after insert on delivery referencing new table as fresh
  for each statement execute function send_new_deliveries();
