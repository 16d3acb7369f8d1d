-- compatible with 0042
-- allowed table lock: triggers of new tables name truncate

-- The audit log as a chain of hashes that one sealer writes after the commit.

-- What may name a person is sealed apart and can be erased. The entry keeps a salted hash of it. Null: nothing was sealed.
alter table audit_entry add column private_id uuid, add column private_hash bytea;

-- Signed with the key ring, so that a row that was planted explains no missing entry.
alter table restoration add column signature bytea;

-- Sealed: salt, reason and origin of an entry. Null: erased.
create table audit_private (
  id         uuid primary key,
  sealed     bytea,
  at         timestamptz not null default service_now(),
  erased_at  timestamptz,
  check ((sealed is null) = (erased_at is not null))
);
create index audit_private_kept on audit_private (at) where sealed is not null;
create trigger audit_private_is_kept before update on audit_private
  for each row execute function keep_audit_private();
create trigger audit_private_stays before delete on audit_private
  for each row execute function refuse_change();
create trigger audit_private_stays_whole before truncate on audit_private execute function refuse_change();

-- Numbers of entries are given before the commit, so an entry may appear after one with a higher number. The chain has its own
-- positions, and each entry waits here until it has one.
create table audit_unsealed (
  entry_id   bigint primary key,
  queued_at  timestamptz not null default now()
);
create trigger audit_unsealed_stays_whole before truncate on audit_unsealed execute function refuse_change();

create table audit_chain (
  position      bigint primary key check (position > 0),
  entry_id      bigint not null unique,
  content_hash  bytea not null check (length(content_hash) = 32),
  hash          bytea not null check (length(hash) = 32),
  sealed_at     timestamptz not null default now()
);
create trigger audit_chain_is_final before update or delete on audit_chain
  for each row execute function refuse_change();
create trigger audit_chain_is_final_whole before truncate on audit_chain execute function refuse_change();

drop trigger audit_entry_is_final on audit_entry;
create trigger audit_entry_is_final before delete on audit_entry
  for each row execute function refuse_change();
create trigger audit_entry_is_kept before update on audit_entry
  for each row execute function keep_audit_entry();
create trigger audit_entry_waits after insert on audit_entry
  referencing new table as added for each statement execute function queue_audit_entries();

-- Entries from before. No writer is under way here, since the table is locked: each of them is there and has a number up to
-- this one. The sealer takes them in that order.
create table audit_backlog (
  one     boolean primary key default true check (one),
  until   bigint not null,
  sealed  bigint not null default 0
);
insert into audit_backlog (until) select coalesce(max(id), 0) from audit_entry;

-- How far the chain is known outside the database, by the server and folder that keep the file.
create table audit_anchor (
  host            text not null,
  folder          text not null,
  first_position  bigint not null,
  position        bigint not null,
  hash            bytea not null,
  anchored_at     timestamptz not null,
  primary key (host, folder)
);

-- The last judgement on the chain. finding: the first break.
create table audit_judgement (
  one        boolean primary key default true check (one),
  judged_at  timestamptz not null,
  sealed_to  bigint not null,
  finding    text
);
