-- compatible with 0063
-- allowed table lock: a trigger of a new table names truncate
-- allowed add constraint: change requests are few, and nothing else waits for their table

-- Funds that stand apart from the house's own, behind cards and points. Two people record what an institution holds at the end of a
-- day. It counts until a later day of the same institution; of two records of one day the later one counts.
create table safeguarded_fund (
  -- Of the request that two people agreed on.
  id           uuid primary key references change_request (id),
  institution  text not null check (length(institution) between 1 and 100),
  method       text not null check (method in ('trust', 'deposit', 'guarantee')),
  as_of        date not null,
  won          bigint not null check (won >= 0),
  -- Of the institution's own document.
  reference    text not null check (length(reference) between 1 and 100),
  at           timestamptz not null
);
create unique index safeguarded_fund_reference on safeguarded_fund (lower(reference));
create index safeguarded_fund_of_day on safeguarded_fund (as_of);
create trigger safeguarded_fund_is_final before update or delete on safeguarded_fund
  for each row execute function refuse_change();
create trigger safeguarded_fund_is_final_whole before truncate on safeguarded_fund execute function refuse_change();

alter table change_request drop constraint change_request_kind_check;
alter table change_request add constraint change_request_kind_check check
  (kind in ('price', 'terms', 'credit_limit', 'payment', 'payment_reversal', 'adjustment', 'card_void', 'staff_role',
            'refund', 'refund_policy', 'bullion', 'commission_rate', 'safeguard'));
