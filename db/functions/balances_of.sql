-- What a holder has of each asset, and what the metals cost; 0 where there is no account. Always one row. Inlined where it is
-- called, and only the columns that are asked for are computed.
create or replace function balances_of(p_holder uuid)
  returns table (points bigint, deposit bigint, gold bigint, silver bigint, gold_cost bigint, silver_cost bigint)
  language sql stable as $$
  select coalesce(max(a.balance) filter (where a.asset = 'KRW_POINT'), 0),
         coalesce(max(a.balance) filter (where a.asset = 'KRW'), 0),
         coalesce(max(a.balance) filter (where a.asset = 'XAU'), 0),
         coalesce(max(a.balance) filter (where a.asset = 'XAG'), 0),
         coalesce(max(a.cost) filter (where a.asset = 'XAU'), 0),
         coalesce(max(a.cost) filter (where a.asset = 'XAG'), 0)
    from account a where a.holder_id = p_holder $$;
