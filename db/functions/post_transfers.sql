-- The one way a balance changes. Accounts are locked in id order, so two callers never wait for each other.
create or replace function post_transfers(
  p_kind text, p_at timestamptz, p_groups uuid[], p_cards uuid[],
  p_debits bigint[], p_credits bigint[], p_amounts bigint[]
) returns void
language plpgsql set plan_cache_mode = force_generic_plan set enable_mergejoin = off set enable_hashjoin = off as $$
declare
  v_posted integer;
begin
  perform 1 from account where id = any (p_debits || p_credits) order by id for no key update;

  insert into transfer (group_id, kind, asset, amount, debit_account, credit_account, card_id, at)
  select t.group_id, p_kind, debit.asset, t.amount, t.debit, t.credit, t.card, p_at
    from unnest(p_groups, p_cards, p_debits, p_credits, p_amounts)
         as t (group_id, card, debit, credit, amount)
    join account debit on debit.id = t.debit
    join account credit on credit.id = t.credit and credit.asset = debit.asset;
  get diagnostics v_posted = row_count;
  if v_posted <> cardinality(p_groups) then
    raise exception 'a transfer joins two accounts of one asset' using errcode = 'check_violation';
  end if;

  update account set balance = balance + moved.net
    from (select leg.account, sum(leg.net) as net
            from (select unnest(p_debits), -unnest(p_amounts)
                  union all select unnest(p_credits), unnest(p_amounts)) as leg (account, net)
           group by leg.account) as moved
   where account.id = moved.account;
end $$;
