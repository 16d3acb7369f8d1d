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
  // A member and all its links together, because joining moves cost from one to the other. What was given up at the
  // closing of an account took its cost along, which no order shows.
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
  // The figures by themselves, whether or not the quote is still there (workOut in modules/pricing/model.ts).
  order_adds_up: `
    select id::text as id
      from (select *, units::numeric * price / 10000 as exact,
                   case side when 'buy' then ceil(reference * (20000 + spread_bps)::numeric / 20000)
                             else greatest(floor(reference * (20000 - spread_bps)::numeric / 20000), 1) end as quoted
              from trade_order) o
     where price <> quoted or metal_won <> case side when 'buy' then ceil(exact) else floor(exact) end
        or fee <> ceil(metal_won::numeric * fee_bps / 10000)
        or total <> case side when 'buy' then metal_won + fee else metal_won - fee end
        or side = 'buy' and cost <> total`,
  // Orders of before two_people_since name no price.
  order_names_its_price: `
    select o.id::text as id from trade_order o cross join installation i
      left join metal_price p on p.metal = o.metal and p.at = o.price_at
     where case when o.price_at is null
                then o.at > i.two_people_since
                  or not exists (select from metal_price m where m.metal = o.metal and m.at <= o.at)
                else p.at is null or p.won_per_gram <> o.reference or p.source <> o.price_source or p.at > o.at end`,
  // A quote holds for a minute. Its price was no older than the terms allow: else an old price could be chosen.
  order_was_on_terms_in_force: `
    with terms as (
      select metal, spread_bps, fee_bps, make_interval(secs => max_age_seconds) + interval '5 minutes' as oldest, at - interval '1 minute' as since,
             lead(at) over (partition by metal order by id) + interval '5 minutes' as until from trading_terms)
    select o.id::text as id from trade_order o
     where not exists (select from terms t
                        where t.metal = o.metal and t.spread_bps = o.spread_bps and t.fee_bps = o.fee_bps
                          and o.at >= t.since and (t.until is null or o.at <= t.until)
                          and (o.price_at is null or o.price_at >= o.at - t.oldest))`,
  // The moving average played back, movement by movement, over a member and the member's links.
  sale_takes_its_share_of_the_cost: `
    with owner as (
      select id as holder_id, id as owner_id from member
      union all select id, member_id from partner_user),
    moved as (
      select t.id, t.kind, t.asset, t.debit_account, t.credit_account, t.amount, t.group_id,
             coalesce(dw.owner_id, cw.owner_id) as owner_id
        from transfer t join account d on d.id = t.debit_account join account c on c.id = t.credit_account
        left join owner dw on dw.holder_id = d.holder_id
        left join owner cw on cw.holder_id = c.holder_id
       where t.asset in ('XAU', 'XAG')),
    replayed as (
      select m.kind, o.id, o.cost,
             (replay_cost(m.kind, m.debit_account, m.credit_account, m.amount, o.cost)
                over (partition by m.owner_id, m.asset order by m.id))[1] as expected
        from moved m left join trade_order o on o.id = m.group_id)
    select id::text as id from replayed where kind = 'sell' and cost is distinct from expected`,
  what_is_not_held_costs_nothing: `
    select id::text as id from account where kind = 'holding' and balance = 0 and cost <> 0`,
  // A link's withdrawal may have become its member's since.
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
  // Payouts before two_people_since needed one person.
  payout_took_two_people: `
    select w.id::text as id from withdrawal w cross join installation i
     where w.status = 'paid' and w.settled_at > i.two_people_since
       and (w.settled_by is null or w.approved_by is null
            or not w.single_person and (w.settled_by = w.approved_by or w.settled_staff = w.approved_staff))`,
  // A payout of an earlier release names itself as the one that makes a wait unnecessary.
  payout_waited: `
    select id::text as id from withdrawal
     where status = 'paid' and (settled_at is null or settled_at < payable_after)
        or payable_after < requested_at + case when same_account_as is null then interval '24 hours' else interval '0' end`,
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
