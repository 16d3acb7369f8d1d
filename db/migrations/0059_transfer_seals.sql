-- compatible with 0042
-- allowed table lock: triggers of new tables name truncate

-- Blocks of committed transfers as a chain of hashes, over what never changes of them and of the cards that they issued. Each block
-- has an entry in the audit log, whose anchors are the chain's.
create table transfer_seal (
  position      bigint primary key check (position > 0),
  -- It covers the transfers after the block before, up to this one.
  through_id    bigint not null unique,
  transfers     integer not null check (transfers > 0),
  content_hash  bytea not null check (length(content_hash) = 32),
  hash          bytea not null check (length(hash) = 32),
  sealed_at     timestamptz not null default now(),
  -- Four bytes of each transfer, in their order. They tell which one was changed.
  marks         bytea not null,
  check (length(marks) = 4 * transfers)
);
-- They are hashes: compressing them would only take time.
alter table transfer_seal alter column marks set storage external;
create trigger transfer_seal_is_final before update or delete on transfer_seal for each row execute function refuse_change();
create trigger transfer_seal_is_final_whole before truncate on transfer_seal execute function refuse_change();

-- Up to where the last good verification has read, signed with the key ring.
alter table verification add column checkpoint text;
