-- Which kinds of account a transfer joins. Pure, so that the trigger and `verify` ask the same question.
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
    -- Won only: what metal had cost follows from orders.
    when 'adjust_up' then p_asset in ('KRW_POINT', 'KRW') and p_debit = 'adjustments' and p_credit = 'holding'
    when 'adjust_down' then p_asset in ('KRW_POINT', 'KRW') and p_debit = 'holding' and p_credit = 'adjustments'
    -- Of an expired card: points to its holder, or won by way of the exchange; the rest is the house's.
    when 'refund' then p_credit = 'holding' and case p_asset when 'KRW_POINT' then p_debit = 'expired_cards'
                                                             else p_asset = 'KRW' and p_debit = 'refund_exchange' end
    when 'refund_exchange' then p_debit = 'expired_cards' and p_credit = 'refund_exchange'
    when 'refund_fee' then p_debit = 'expired_cards' and p_credit = 'refund_fees'
    -- Nobody claimed the card until its refund deadline.
    when 'lapse' then p_debit = 'expired_cards' and p_credit = 'breakage'
    -- The house's own metal, and what it cost.
    when 'bullion_buy' then p_asset <> 'KRW_POINT' and p_debit = 'inventory' and p_credit = 'bullion_dealers'
    when 'bullion_sell' then p_asset <> 'KRW_POINT' and p_debit = 'bullion_dealers' and p_credit = 'inventory'
    -- What partners are charged for the service, its VAT, and their payments of both.
    when 'commission' then p_asset = 'KRW' and p_debit = 'commissions_owed' and p_credit in ('commissions', 'commission_vat')
    when 'commission_back' then p_asset = 'KRW' and p_debit in ('commissions', 'commission_vat') and p_credit = 'commissions_owed'
    when 'commission_payment' then p_asset = 'KRW' and p_debit = 'partner_settlement' and p_credit = 'commissions_owed'
    when 'commission_payment_back' then p_asset = 'KRW' and p_debit = 'commissions_owed' and p_credit = 'partner_settlement'
    else false end
$$;
