-- compatible with 0042
-- earlier releases cannot judge: payment_agrees_with_its_transfers, settlement_is_what_was_paid
-- allowed table lock: triggers of new tables name truncate

-- What partners are billed for, by period (docs/settlement.md). A closed statement is data and a hash, and never changes.

-- A partner as a company, for its statements. A statement keeps them as they were when it was closed.
create table partner_legal (
  partner_id       integer primary key references partner (id),
  legal_name       text not null check (length(legal_name) between 1 and 200),
  business_number  text check (business_number ~ '^[0-9]{3}-[0-9]{2}-[0-9]{5}$'),
  representative   text check (length(representative) between 1 and 100),
  address          text check (length(address) between 1 and 300)
);

-- What the house charges for its service, in hundredths of a percent. A version holds until the next one begins.
create table commission_rate (
  partner_id      integer not null references partner (id),
  effective_from  date not null,
  bps             integer not null check (bps between 0 and 10000),
  -- Of the face value issued, or of what was used.
  base            text not null check (base in ('issued', 'used')),
  set_at          timestamptz not null,
  set_by          text not null check (set_by <> ''),
  primary key (partner_id, effective_from)
);
create trigger commission_rate_is_final before update or delete on commission_rate for each row execute function refuse_change();
create trigger commission_rate_is_final_whole before truncate on commission_rate execute function refuse_change();

create table partner_statement (
  -- Also the group of the transfers of its commission.
  id             uuid primary key,
  partner_id     integer not null references partner (id),
  number         text not null unique,
  period_from    date not null,
  -- The first day after the period.
  period_to      date not null check (period_to > period_from),
  -- What is due with it: for cards, and as commission with VAT.
  due            bigint not null check (due >= 0),
  due_commission bigint not null check (due_commission >= 0),
  -- Everything that it shows, as JSON. Kept as text: its bytes are hashed.
  data           text not null,
  closed_at      timestamptz not null,
  closed_by      text not null check (closed_by <> ''),
  -- Of the partner's statement before; null for the first.
  previous_hash  bytea check (length(previous_hash) = 32),
  hash           bytea not null unique check (length(hash) = 32),
  unique (partner_id, period_from)
);
create trigger partner_statement_is_final before update or delete on partner_statement
  for each row execute function refuse_change();
create trigger partner_statement_is_final_whole before truncate on partner_statement execute function refuse_change();

create table partner_statement_sent (
  statement_id  uuid primary key references partner_statement (id),
  at            timestamptz not null,
  by            text not null check (by <> ''),
  -- How it was sent: by mail, by the tax office's site.
  way           text not null check (length(way) between 1 and 200)
);
create trigger partner_statement_sent_is_final before update or delete on partner_statement_sent
  for each row execute function refuse_change();
create trigger partner_statement_sent_is_final_whole before truncate on partner_statement_sent execute function refuse_change();

-- What a payment pays of a statement. What a payment names of no statement is the partner's deposit.
create table partner_payment_part (
  payment_id    uuid not null references partner_payment (id),
  statement_id  uuid not null references partner_statement (id),
  amount        bigint not null check (amount > 0),
  -- Of the amount, for commission and its VAT. Cards are paid first.
  commission    bigint not null check (commission between 0 and amount),
  primary key (payment_id, statement_id)
);
create index partner_payment_part_of_statement on partner_payment_part (statement_id);
create trigger partner_payment_part_is_final before update or delete on partner_payment_part
  for each row execute function refuse_change();
create trigger partner_payment_part_is_final_whole before truncate on partner_payment_part execute function refuse_change();

-- Last, since purchases wait for what is done to these tables. commissions_owed: what partners owe for commissions and their VAT;
-- commissions: the house's revenue; commission_vat: what the house owes the tax office.
alter table account drop constraint account_kind_check;
alter table account add constraint account_kind_check check
  (kind in ('partner_receivable', 'outstanding_cards', 'expired_cards', 'holding', 'sandbox_grants',
            'trading', 'withdrawals', 'bank', 'partner_settlement', 'adjustments', 'refund_exchange', 'refund_fees',
            'inventory', 'bullion_dealers', 'commissions_owed', 'commissions', 'commission_vat')) not valid;
insert into account (kind, asset)
  values ('commissions_owed', 'KRW'), ('commissions', 'KRW'), ('commission_vat', 'KRW'), ('partner_settlement', 'KRW');
alter table transfer drop constraint transfer_kind_check;
alter table transfer add constraint transfer_kind_check check
  (kind in ('issue', 'void', 'expire', 'redeem', 'grant', 'buy', 'sell', 'withdraw', 'withdraw_back', 'withdraw_paid',
            'join', 'waive', 'partner_payment', 'partner_payment_back', 'adjust_up', 'adjust_down',
            'refund', 'refund_exchange', 'refund_fee', 'bullion_buy', 'bullion_sell',
            'commission', 'commission_back', 'commission_payment', 'commission_payment_back')) not valid;
