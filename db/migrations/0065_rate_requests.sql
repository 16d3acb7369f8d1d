-- compatible with 0063
-- allowed add constraint: change requests and rates are few, and nothing else waits for their tables
-- allowed add column: rates are few, and nothing else waits for their table
-- allowed whole table: an installation is one row

-- A commission is set by two people. A rate names the request that they agreed on. NOT VALID: earlier ones were one person's.
alter table change_request drop constraint change_request_kind_check;
alter table change_request add constraint change_request_kind_check check
  (kind in ('price', 'terms', 'credit_limit', 'payment', 'payment_reversal', 'adjustment', 'card_void', 'staff_role',
            'refund', 'refund_policy', 'bullion', 'commission_rate'));
alter table commission_rate add column request_id uuid unique references change_request (id);
alter table commission_rate add constraint commission_rate_two_people check (request_id is not null) not valid;

-- For `verify`: rates of before this moment needed one person.
alter table installation add column rates_agreed_since timestamptz;
update installation set rates_agreed_since = clock_timestamp() + clock_offset;
