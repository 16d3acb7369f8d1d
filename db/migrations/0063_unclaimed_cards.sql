-- compatible with 0042

-- The value of a card that nobody claimed until its refund deadline becomes revenue of the house: `lapse`, to `breakage`.
-- Purchases wait for what is done to these tables, so it is little.
alter table account drop constraint account_kind_check;
alter table account add constraint account_kind_check check
  (kind in ('partner_receivable', 'outstanding_cards', 'expired_cards', 'holding', 'sandbox_grants', 'trading',
            'withdrawals', 'bank', 'partner_settlement', 'adjustments', 'refund_exchange', 'refund_fees',
            'inventory', 'bullion_dealers', 'commissions_owed', 'commissions', 'commission_vat', 'breakage')) not valid;
insert into account (kind, asset) values ('breakage', 'KRW_POINT');
alter table transfer drop constraint transfer_kind_check;
alter table transfer add constraint transfer_kind_check check
  (kind in ('issue', 'void', 'expire', 'redeem', 'grant', 'buy', 'sell', 'withdraw', 'withdraw_back',
            'withdraw_paid', 'join', 'waive', 'partner_payment', 'partner_payment_back', 'adjust_up',
            'adjust_down', 'refund', 'refund_exchange', 'refund_fee', 'bullion_buy', 'bullion_sell',
            'commission', 'commission_back', 'commission_payment', 'commission_payment_back', 'lapse')) not valid;
