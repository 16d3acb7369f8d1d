-- What partners pay: a transfer kind of its own, a row for each payment, and the reversal of a wrong one.

-- A payment is what two people agreed on: its id is the request's. The reference is the bank's word for it, and books it once.
create table partner_payment (
  id           uuid primary key references change_request (id),
  partner_id   integer not null references partner (id),
  reference    text not null check (length(reference) between 1 and 100),
  amount       bigint not null check (amount > 0),
  at           timestamptz not null,
  reversed_at  timestamptz,
  reversal_id  uuid unique references change_request (id),
  check ((reversed_at is null) = (reversal_id is null)),
  check (reversal_id <> id)
);
-- Told apart by capitals alone, one payment would be booked twice. A reversed one keeps its reference.
create unique index partner_payment_reference on partner_payment (partner_id, lower(reference));
create trigger partner_payment_stays before delete on partner_payment for each row execute function refuse_change();
create trigger partner_payment_stays_whole before truncate on partner_payment execute function refuse_change();
create trigger partner_payment_is_final before update on partner_payment for each row
  when (old.reversal_id is not null
        or (old.id, old.partner_id, old.reference, old.amount, old.at)
           is distinct from (new.id, new.partner_id, new.reference, new.amount, new.at))
  execute function refuse_change();

alter table change_request drop constraint change_request_kind_check;
alter table change_request add constraint change_request_kind_check check
  (kind in ('price', 'terms', 'credit_limit', 'payment', 'payment_reversal')) not valid;

create or replace function transfer_may_join(p_kind text, p_asset text, p_debit text, p_credit text)
returns boolean language sql immutable as $$
  select case p_kind
    when 'issue' then p_debit = 'partner_receivable' and p_credit = 'outstanding_cards'
    when 'void' then p_debit = 'outstanding_cards' and p_credit = 'partner_receivable'
    when 'expire' then p_debit = 'outstanding_cards' and p_credit = 'expired_cards'
    when 'redeem' then p_debit = 'outstanding_cards' and p_credit = 'holding'
    when 'grant' then p_debit = 'sandbox_grants' and p_credit = 'holding'
    when 'buy' then case when p_asset in ('XAU', 'XAG') then p_debit = 'trading' and p_credit = 'holding'
                         else p_debit = 'holding' and p_credit = 'trading' end
    when 'sell' then case when p_asset in ('XAU', 'XAG') then p_debit = 'holding' and p_credit = 'trading'
                          else p_debit = 'trading' and p_credit = 'holding' and p_asset = 'KRW' end
    when 'withdraw' then p_debit = 'holding' and p_credit = 'withdrawals'
    when 'withdraw_back' then p_debit = 'withdrawals' and p_credit = 'holding'
    when 'withdraw_paid' then p_debit = 'withdrawals' and p_credit = 'bank'
    when 'join' then p_debit = 'holding' and p_credit = 'holding'
    when 'waive' then p_debit = 'holding' and p_credit = 'trading'
    when 'partner_payment' then p_debit = 'partner_settlement' and p_credit = 'partner_receivable'
    when 'partner_payment_back' then p_debit = 'partner_receivable' and p_credit = 'partner_settlement'
    else false end
$$;

-- Last, since purchases wait for what is done to these tables.
alter table account drop constraint account_kind_check;
alter table account add constraint account_kind_check check
  (kind in ('partner_receivable', 'outstanding_cards', 'expired_cards', 'holding', 'sandbox_grants',
            'trading', 'withdrawals', 'bank', 'partner_settlement')) not valid;
-- Where partners' payments come from: the other side of every receivable. Payments are few, so one row will do.
insert into account (kind, asset) values ('partner_settlement', 'KRW_POINT');
alter table transfer drop constraint transfer_kind_check;
alter table transfer add constraint transfer_kind_check check
  (kind in ('issue', 'void', 'expire', 'redeem', 'grant', 'buy', 'sell', 'withdraw', 'withdraw_back', 'withdraw_paid',
            'join', 'waive', 'partner_payment', 'partner_payment_back')) not valid;
