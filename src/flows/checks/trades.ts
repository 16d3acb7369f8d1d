// Invariants of orders and withdrawals. Like the others, each returns the rows that break it.
export const TRADE_CHECKS = {
  // To the unit and the won, between the holder's accounts and the house's, and nothing beside.
  order_agrees_with_its_transfers: `
    with expected as (
      select o.id, o.side, o.holder_id, leg.asset, leg.amount, leg.leaves
        from trade_order o
       cross join lateral (values ('KRW_POINT', o.from_points, true),
                                  ('KRW', case o.side when 'buy' then o.from_deposit else o.total end, o.side = 'buy'),
                                  (o.metal, o.units, o.side = 'sell')) as leg (asset, amount, leaves)
       where leg.amount > 0),
    actual as (
      select t.group_id, t.kind, t.asset, t.amount, d.kind = 'holding' as leaves,
             coalesce(d.holder_id, c.holder_id) as holder_id,
             case when d.kind = 'holding' then c.kind else d.kind end as house,
             count(*) over (partition by t.group_id, t.asset) as times
        from transfer t join account d on d.id = t.debit_account join account c on c.id = t.credit_account
       where t.kind in ('buy', 'sell'))
    select coalesce(e.id, a.group_id) || ' ' || coalesce(e.asset, a.asset) as id
      from expected e full join actual a on a.group_id = e.id and a.asset = e.asset
     where e.id is null or a.group_id is null or a.times <> 1 or a.kind <> e.side or a.amount <> e.amount
        or a.leaves <> e.leaves or a.holder_id <> e.holder_id or a.house <> 'trading'`,
  // While the quote is kept.
  order_is_what_was_quoted: `
    select o.id::text as id from trade_order o join trade_quote q on q.id = o.quote_id
     where (o.holder_id, o.side, o.metal, o.units, o.reference, o.price, o.spread_bps, o.fee_bps, o.metal_won, o.fee, o.total)
        <> (q.holder_id, q.side, q.metal, q.units, q.reference, q.price, q.spread_bps, q.fee_bps, q.metal_won, q.fee, q.total)`,
  // Of a member and all its links together, since joining carries cost from one to the other. What was given up with the
  // closing of an account took its cost along, which no order tells.
  cost_is_recomputed_from_orders: `
    with owner as (
      select id as holder_id, id as owner_id from member
      union all select id, member_id from partner_user),
    kept as (
      select w.owner_id, a.asset, sum(a.cost) as cost from account a join owner w on w.holder_id = a.holder_id
       where a.asset in ('XAU', 'XAG') group by w.owner_id, a.asset),
    recomputed as (
      select w.owner_id, o.metal as asset, sum(case o.side when 'buy' then o.cost else -o.cost end) as cost
        from trade_order o join owner w on w.holder_id = o.holder_id group by w.owner_id, o.metal),
    waived as (
      select distinct w.owner_id, t.asset
        from transfer t join account a on a.id = t.debit_account join owner w on w.holder_id = a.holder_id
       where t.kind = 'waive')
    select coalesce(k.owner_id, r.owner_id) || ' ' || coalesce(k.asset, r.asset) as id
      from kept k full join recomputed r on r.owner_id = k.owner_id and r.asset = k.asset
     where coalesce(k.cost, 0) <> coalesce(r.cost, 0)
       and not exists (select from waived w where w.owner_id = k.owner_id and w.asset = k.asset)`,
  what_is_not_held_costs_nothing: `
    select id::text as id from account where kind = 'holding' and balance = 0 and cost <> 0`,
  // What a link asked for may have become its member's meanwhile.
  withdrawal_agrees_with_its_transfers: `
    with moved as (
      select t.group_id, t.kind, t.amount, d.kind as debit, coalesce(du.member_id, d.holder_id) as from_holder,
             c.kind as credit, coalesce(cu.member_id, c.holder_id) as to_holder
        from transfer t join account d on d.id = t.debit_account join account c on c.id = t.credit_account
        left join partner_user du on du.id = d.holder_id
        left join partner_user cu on cu.id = c.holder_id
       where t.kind in ('withdraw', 'withdraw_paid', 'withdraw_back') and t.asset = 'KRW')
    select w.id::text as id from withdrawal w
      left join partner_user u on u.id = w.holder_id
      left join moved m on m.group_id = w.id
     group by w.id, u.member_id
    having count(*) filter (where m.kind = 'withdraw' and m.amount = w.amount and m.from_holder = coalesce(u.member_id, w.holder_id)
                              and m.credit = 'withdrawals') <> 1
        or count(*) filter (where m.kind = 'withdraw_paid' and m.amount = w.amount and m.debit = 'withdrawals'
                              and m.credit = 'bank') <> (w.status = 'paid')::int
        or count(*) filter (where m.kind = 'withdraw_back' and m.amount = w.amount and m.debit = 'withdrawals'
                              and m.to_holder = coalesce(u.member_id, w.holder_id)) <> (w.status in ('cancelled', 'refused'))::int
        or count(*) <> 1 + (w.status in ('paid', 'cancelled', 'refused'))::int`,
  transfer_out_has_its_withdrawal: `
    select t.id::text as id from transfer t left join withdrawal w on w.id = t.group_id
     where t.kind in ('withdraw', 'withdraw_paid', 'withdraw_back') and w.id is null`,
  withdrawals_wait_in_their_account: `
    select 'withdrawals' as id
     where (select coalesce(sum(balance), 0) from account where kind = 'withdrawals')
        <> (select coalesce(sum(amount), 0) from withdrawal where status in ('requested', 'approved'))`,
  bank_is_what_was_paid: `
    select 'bank' as id
     where (select coalesce(sum(balance), 0) from account where kind = 'bank')
        <> (select coalesce(sum(amount), 0) from withdrawal where status = 'paid')`,
} as const
