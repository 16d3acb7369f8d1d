-- compatible with 0063
-- allowed table lock: triggers of new tables name truncate

-- A month that finance closed (docs/books.md): which closed days and statements it has, and what was still open. It never changes.
create table closed_month (
  -- Its first day.
  month          date primary key check (extract(day from month) = 1),
  -- The ledger position of its last day.
  through_id     bigint not null check (through_id >= 0),
  -- Its days and statements with their hashes, and what it was warned of, as JSON. Kept as text: its bytes are hashed.
  data           text not null,
  closed_at      timestamptz not null,
  closed_by      text not null check (closed_by <> ''),
  -- Of the month before; null for the first.
  previous_hash  bytea check (length(previous_hash) = 32),
  hash           bytea not null unique check (length(hash) = 32)
);
create trigger closed_month_is_final before update or delete on closed_month for each row execute function refuse_change();
create trigger closed_month_is_final_whole before truncate on closed_month execute function refuse_change();

-- Why the oldest open day could not be closed when that was last tried, for the page of the month. One row, written over.
create table close_attempt (
  one          boolean primary key default true check (one),
  at           timestamptz not null,
  -- Null: nothing stood against closing.
  open_day     date,
  -- The rows on which two sources differ, as JSON.
  differences  text not null
);
