-- compatible with 0042
-- allowed table lock: a trigger of a new table names truncate
-- allowed add constraint: change requests are few, and nothing else waits for their table

-- Bullion that the house buys and sells, recorded by two people. The house's metal stands against what members hold.
create table bullion_trade (
  -- Of the request that two people agreed on.
  id         uuid primary key references change_request (id),
  side       text not null check (side in ('buy', 'sell')),
  metal      text not null check (metal in ('XAU', 'XAG')),
  units      bigint not null check (units > 0),
  won        bigint not null check (won > 0),
  reference  text not null check (length(reference) between 1 and 100),
  at         timestamptz not null
);
create unique index bullion_trade_reference on bullion_trade (lower(reference));
create trigger bullion_trade_is_final before update or delete on bullion_trade for each row execute function refuse_change();
create trigger bullion_trade_is_final_whole before truncate on bullion_trade execute function refuse_change();

alter table change_request drop constraint change_request_kind_check;
alter table change_request add constraint change_request_kind_check check
  (kind in ('price', 'terms', 'credit_limit', 'payment', 'payment_reversal', 'adjustment', 'card_void', 'staff_role',
            'refund', 'refund_policy', 'bullion'));

-- Last, since purchases wait for what is done to these tables. inventory: the house's metal, and in won what was paid for it;
-- a debit, so its balance is negative. bullion_dealers: the other side.
alter table account drop constraint account_kind_check;
alter table account add constraint account_kind_check check
  (kind in ('partner_receivable', 'outstanding_cards', 'expired_cards', 'holding', 'sandbox_grants',
            'trading', 'withdrawals', 'bank', 'partner_settlement', 'adjustments', 'refund_exchange', 'refund_fees',
            'inventory', 'bullion_dealers')) not valid;
-- No more metal is sold than there is.
alter table account add constraint account_inventory_check check (kind <> 'inventory' or asset = 'KRW' or balance <= 0) not valid;
insert into account (kind, asset)
  select kind, asset from unnest(array['inventory', 'bullion_dealers']) kind, unnest(array['XAU', 'XAG', 'KRW']) asset;
alter table transfer drop constraint transfer_kind_check;
alter table transfer add constraint transfer_kind_check check
  (kind in ('issue', 'void', 'expire', 'redeem', 'grant', 'buy', 'sell', 'withdraw', 'withdraw_back', 'withdraw_paid',
            'join', 'waive', 'partner_payment', 'partner_payment_back', 'adjust_up', 'adjust_down',
            'refund', 'refund_exchange', 'refund_fee', 'bullion_buy', 'bullion_sell')) not valid;
