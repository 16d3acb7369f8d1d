-- What becomes of a card that nobody registers: reminders, the move of its value, and the end of its PIN.

-- The refund rules, by version: a card keeps those of the day it was bought, but for the notices, which are those in
-- force. The first are the Korean standard terms of September 2025.
create table refund_policy (
  version         text primary key,
  effective_from  date not null unique,
  cancel_days     integer not null check (cancel_days >= 0),     -- the buyer may take an unused card back
  refund_years    integer not null check (refund_years >= 0),    -- from purchase: until then an expired card has value
  small_up_to     bigint not null check (small_up_to >= 0),      -- of an expired card: won at which the share changes
  small_percent   integer not null check (small_percent between 0 and 100),
  large_percent   integer not null check (large_percent between 0 and 100),
  points_percent  integer not null check (points_percent between 0 and 100),
  notice_days     integer[] not null check (cardinality(notice_days) >= 3)  -- before expiry, at least three
);
insert into refund_policy values ('kr-2025-09', '2000-01-01', 7, 5, 50000, 90, 95, 100, '{30,14,7,1}');
create trigger refund_policy_is_final before update or delete on refund_policy
  for each row execute function refuse_change();

create function refund_policy_of(bought date) returns refund_policy language sql stable
  as $$ select p from refund_policy p where p.effective_from <= bought order by p.effective_from desc limit 1 $$;

-- Up to which day of expiry each notice has been sent: a scan looks at the days since, not at every open card.
create table expiry_notice (
  days_before   integer primary key check (days_before > 0),
  done_through  date not null
);

-- What is owed for expired cards: refundable, never deleted. Sharded like the account it comes from.
alter table account drop constraint account_kind_check;
alter table account add constraint account_kind_check check
  (kind in ('partner_receivable', 'outstanding_cards', 'expired_cards', 'holding', 'sandbox_grants')) not valid;
insert into account (kind, asset, shard)
  select 'expired_cards', 'KRW_POINT', shard from generate_series(0, 15) shard;
alter table transfer drop constraint transfer_kind_check;
alter table transfer add constraint transfer_kind_check check (kind in ('issue', 'void', 'grant', 'expire')) not valid;

alter table gift_card add column expired_at timestamptz;
alter table gift_card
  add constraint gift_card_expired_check check ((status = 'expired') = (expired_at is not null)) not valid;
-- Open cards by their last day; and, among the expired, PINs that are still to be erased.
create index gift_card_expiry on gift_card (expires_on, id) where status = 'issued';
create index gift_card_expired on gift_card (issued_on) where status = 'expired' and pin is not null;
