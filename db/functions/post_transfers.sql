-- The one way a balance changes. Accounts are locked in id order, so two callers never wait for each other.
create or replace function post_transfers(
  p_kind text, p_at timestamptz, p_groups uuid[], p_cards uuid[],
  p_debits bigint[], p_credits bigint[], p_amounts bigint[]
) returns void
language plpgsql set plan_cache_mode = force_generic_plan set enable_mergejoin = off set enable_hashjoin = off as $$
declare
  -- Between one pair of accounts, as a batch of purchases is: each account is looked up and changed once.
  v_one_pair boolean := p_debits[1] = all (p_debits) and p_credits[1] = all (p_credits);
  v_posted   integer;
  v_total    bigint;
begin
  perform 1 from account where id = any (p_debits || p_credits) order by id for no key update;

  if v_one_pair then
    insert into transfer (group_id, kind, asset, amount, debit_account, credit_account, card_id, at)
    select t.group_id, p_kind, debit.asset, t.amount, debit.id, credit.id, t.card, p_at
      from account debit
      join account credit on credit.id = p_credits[1] and credit.asset = debit.asset
     cross join unnest(p_groups, p_cards, p_amounts) as t (group_id, card, amount)
     where debit.id = p_debits[1];
  else
    insert into transfer (group_id, kind, asset, amount, debit_account, credit_account, card_id, at)
    select t.group_id, p_kind, debit.asset, t.amount, t.debit, t.credit, t.card, p_at
      from unnest(p_groups, p_cards, p_debits, p_credits, p_amounts)
           as t (group_id, card, debit, credit, amount)
      join account debit on debit.id = t.debit
      join account credit on credit.id = t.credit and credit.asset = debit.asset;
  end if;
  get diagnostics v_posted = row_count;
  if v_posted <> cardinality(p_groups) then
    raise exception 'a transfer joins two accounts of one asset' using errcode = 'check_violation';
  end if;

  if v_one_pair then
    select sum(amount) into v_total from unnest(p_amounts) as amount;
    update account set balance = balance + case id when p_debits[1] then -v_total else v_total end
     where id in (p_debits[1], p_credits[1]);
  else
    update account set balance = balance + moved.net
      from (select leg.account, sum(leg.net) as net
              from (select unnest(p_debits), -unnest(p_amounts)
                    union all select unnest(p_credits), unnest(p_amounts)) as leg (account, net)
             group by leg.account) as moved
     where account.id = moved.account;
  end if;
end $$;
