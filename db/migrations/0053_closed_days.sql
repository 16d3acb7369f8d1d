-- compatible with 0042
-- allowed table lock: triggers of new tables name truncate

-- The daily close (docs/books.md). A closed day covers every transfer up to `through_id` whose Seoul day is not later than it and
-- that no earlier closed day covers. So a transfer is covered once, and one that came late is a correction of a later day.
create table closed_day (
  day            date primary key,
  through_id     bigint not null check (through_id >= 0),
  -- The first transfer that neither this day nor an earlier one covers is not before this.
  reads_from     bigint not null,
  movements      bigint not null check (movements >= 0),
  -- Of these, how many belong to earlier days.
  corrections    bigint not null check (corrections between 0 and movements),
  closed_at      timestamptz not null,
  closed_by      text not null check (closed_by <> ''),
  -- Null for the first day.
  previous_hash  bytea check (length(previous_hash) = 32),
  -- Over the row, its lines and balances, and the hash of the day before.
  hash           bytea not null unique check (length(hash) = 32),
  check (reads_from <= through_id + 1)
);
create trigger closed_day_is_final before update or delete on closed_day for each row execute function refuse_change();
create trigger closed_day_is_final_whole before truncate on closed_day execute function refuse_change();

-- Gross movements: what each kind of transfer took from and gave to the accounts of one kind, by the day that it belongs to. The
-- partner is that of a receivable, or of the cards; 0: of no partner.
create table closed_day_line (
  day           date not null,
  belongs_to    date not null check (belongs_to <= day),
  account       text not null,
  asset         text not null,
  partner_id    integer not null,
  kind          text not null,
  debit         bigint not null check (debit >= 0),
  credit        bigint not null check (credit >= 0),
  debit_count   bigint not null check (debit_count >= 0),
  credit_count  bigint not null check (credit_count >= 0),
  primary key (day, account, asset, partner_id, kind, belongs_to)
);
-- Corrections of a day, for whoever looks at that day again.
create index closed_day_line_late on closed_day_line (belongs_to, day) where belongs_to < day;
create trigger closed_day_line_is_final before update or delete on closed_day_line for each row execute function refuse_change();
create trigger closed_day_line_is_final_whole before truncate on closed_day_line execute function refuse_change();

-- Accounts that moved on the day. The balance of any other is the closing balance of the last day on which it moved.
create table closed_day_balance (
  day         date not null,
  account     text not null,
  asset       text not null,
  partner_id  integer not null,
  opening     bigint not null,
  debit       bigint not null check (debit >= 0),
  credit      bigint not null check (credit >= 0),
  closing     bigint not null check (closing = opening + credit - debit),
  primary key (account, asset, partner_id, day)
);
create index closed_day_balance_of_day on closed_day_balance (day);
create trigger closed_day_balance_is_final before update or delete on closed_day_balance for each row execute function refuse_change();
create trigger closed_day_balance_is_final_whole before truncate on closed_day_balance execute function refuse_change();
