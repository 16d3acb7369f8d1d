-- For the CHECK of a ledger account's kind. A function for the reason that `is_transfer_kind` has: each change of a balance checks it.
create or replace function is_account_kind(p_kind text) returns boolean language plpgsql immutable parallel safe as $$
begin
  return p_kind in ('partner_receivable', 'outstanding_cards', 'expired_cards', 'holding', 'sandbox_grants', 'trading', 'withdrawals',
                    'bank', 'partner_settlement', 'adjustments', 'refund_exchange', 'refund_fees', 'inventory', 'bullion_dealers',
                    'commissions_owed', 'commissions', 'commission_vat', 'breakage');
end $$;
