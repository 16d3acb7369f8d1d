-- For the CHECK of a transfer's kind. A list inside of the CHECK is read anew from its text by each statement that writes transfers:
-- with 26 kinds that took a tenth of a small purchase. In PL/pgSQL, because PostgreSQL would read SQL anew, too.
create or replace function is_transfer_kind(p_kind text) returns boolean language plpgsql immutable parallel safe as $$
begin
  return p_kind in ('issue', 'void', 'expire', 'redeem', 'grant', 'buy', 'sell', 'withdraw', 'withdraw_back', 'withdraw_paid', 'join',
                    'waive', 'partner_payment', 'partner_payment_back', 'adjust_up', 'adjust_down', 'refund', 'refund_exchange',
                    'refund_fee', 'bullion_buy', 'bullion_sell', 'commission', 'commission_back', 'commission_payment',
                    'commission_payment_back', 'lapse');
end $$;
