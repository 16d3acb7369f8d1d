-- compatible with 0042
-- earlier releases cannot judge: refund_policies_are_those_of_the_release, card_ends_when_its_partner_said
-- allowed add constraint: policies and change requests are few, and nothing else waits for their tables

-- Refunds of expired cards, the one extension of a card, and policies that two people add.

-- A version holds until the next one begins: there can be no gap and no overlap between versions. Apart from refund_policy, whose
-- columns the release before compares as they are.
create table refund_policy_detail (
  version           text primary key references refund_policy (version),
  -- One extension of a card, on request before it expires. 0: none.
  extension_months  integer not null check (extension_months between 0 and 60),
  -- By which two people agreed on the version; null: it came with a release.
  request_id        uuid unique references change_request (id)
);
insert into refund_policy_detail values ('kr-2025-09', 3, null);
create trigger refund_policy_detail_is_final before update or delete on refund_policy_detail
  for each row execute function refuse_change();
create trigger refund_policy_detail_is_final_whole before truncate on refund_policy_detail execute function refuse_change();
create trigger refund_policy_begins_later before insert on refund_policy
  for each row execute function refuse_late_policy();

alter table change_request drop constraint change_request_kind_check;
alter table change_request add constraint change_request_kind_check check
  (kind in ('price', 'terms', 'credit_limit', 'payment', 'payment_reversal', 'adjustment', 'card_void', 'staff_role',
            'refund', 'refund_policy'));

-- What a refund would give, for some minutes. Erased by forget_old_quotes.
create table refund_quote (
  id          uuid primary key,
  card_id     uuid not null,
  holder_id   uuid not null,
  payout      text not null check (payout in ('points', 'money')),
  policy      text not null references refund_policy (version),
  face        bigint not null check (face > 0),
  percent     integer not null check (percent between 1 and 100),
  deduction   bigint not null check (deduction >= 0),
  total       bigint not null check (total > 0),
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  check (total + deduction = face)
);
create index refund_quote_age on refund_quote (created_at);

-- A card is refunded once. The id is the group of its transfers.
create table card_refund (
  card_id     uuid primary key,
  id          uuid not null unique,
  quote_id    uuid not null unique,
  holder_id   uuid not null,
  payout      text not null check (payout in ('points', 'money')),
  policy      text not null references refund_policy (version),
  face        bigint not null check (face > 0),
  percent     integer not null check (percent between 1 and 100),
  deduction   bigint not null check (deduction >= 0),
  total       bigint not null check (total > 0),
  at          timestamptz not null,
  -- Of an operator's refund, which takes two people. Null: the member claimed it.
  request_id  uuid unique references change_request (id),
  check (total + deduction = face)
);
create index card_refund_of_holder on card_refund (holder_id);
create trigger card_refund_is_final before update or delete on card_refund
  for each row execute function refuse_change();
create trigger card_refund_is_final_whole before truncate on card_refund execute function refuse_change();

-- A card's last day was moved, once.
create table card_extension (
  card_id    uuid primary key,
  from_day   date not null,
  to_day     date not null check (to_day > from_day),
  at         timestamptz not null,
  -- A member, or a link that its member has not confirmed; null: the operator.
  holder_id  uuid
);
create trigger card_extension_is_final before update or delete on card_extension
  for each row execute function refuse_change();
create trigger card_extension_is_final_whole before truncate on card_extension execute function refuse_change();

-- Last, since purchases wait for what is done to these tables.
alter table account drop constraint account_kind_check;
alter table account add constraint account_kind_check check
  (kind in ('partner_receivable', 'outstanding_cards', 'expired_cards', 'holding', 'sandbox_grants',
            'trading', 'withdrawals', 'bank', 'partner_settlement', 'adjustments', 'refund_exchange', 'refund_fees')) not valid;
-- refund_exchange: points that became won, so its two balances cancel out. refund_fees: what refunds keep back, a revenue.
insert into account (kind, asset) values ('refund_exchange', 'KRW_POINT'), ('refund_exchange', 'KRW'), ('refund_fees', 'KRW_POINT');
alter table transfer drop constraint transfer_kind_check;
alter table transfer add constraint transfer_kind_check check
  (kind in ('issue', 'void', 'expire', 'redeem', 'grant', 'buy', 'sell', 'withdraw', 'withdraw_back', 'withdraw_paid',
            'join', 'waive', 'partner_payment', 'partner_payment_back', 'adjust_up', 'adjust_down',
            'refund', 'refund_exchange', 'refund_fee')) not valid;

-- The last day of an open card may move once, by its extension. All else stays as it was sold.
create trigger gift_card_end_is_final before update on gift_card for each row
  when (old.expires_on is distinct from new.expires_on) execute function refuse_moved_end();
create or replace trigger gift_card_is_final before update on gift_card for each row
  when ((old.id, old.tx_id, old.number, old.partner_id, old.api_key_id, old.amount, old.issued_at, old.issued_on)
        is distinct from
        (new.id, new.tx_id, new.number, new.partner_id, new.api_key_id, new.amount, new.issued_at, new.issued_on)
        or old.used_at is not null and (old.used_at, old.used_by) is distinct from (new.used_at, new.used_by)
        or old.voided_at is not null and old.voided_at is distinct from new.voided_at)
  execute function refuse_change();
