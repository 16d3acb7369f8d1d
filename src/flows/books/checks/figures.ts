// Figures by day against what they were counted from, up to where counting has come. Each returns the figures that differ. Made
// another way than the worker counts: from the objects, all at once.
const DONE = (source: string) => `(select through_id from figure_source where source = '${source}')`

const CARD_ACTS = `
  select c.partner_id, c.expires_on, c.amount, c.amount > 500000 as large, t.kind,
         seoul_date(case t.kind when 'issue' then c.issued_at when 'redeem' then c.used_at
                                when 'void' then c.voided_at else c.expired_at end) as day
    from transfer t join gift_card c on c.id = t.card_id
   where t.id <= ${DONE('transfer')} and t.kind in ('issue', 'redeem', 'void', 'expire')`

const actSums = (kind: string) =>
  `count(*) filter (where kind = '${kind}') as ${kind}s, coalesce(sum(amount) filter (where kind = '${kind}'), 0) as ${kind}_won`

export const FIGURE_CHECKS = {
  card_figures_are_of_their_cards: `
    select coalesce(f.day, c.day) || ' ' || coalesce(f.partner_id, c.partner_id) as id
      from (select day, partner_id, ${['issue', 'redeem', 'void', 'expire'].map(actSums).join(', ')}
              from (${CARD_ACTS}) a group by day, partner_id) c
      full join card_day f on f.day = c.day and f.partner_id = c.partner_id
     where (c.issues, c.issue_won, c.redeems, c.redeem_won, c.voids, c.void_won, c.expires, c.expire_won)
        is distinct from (f.issued, f.issued_won, f.used, f.used_won, f.voided, f.voided_won, f.expired, f.expired_won)`,
  expiry_figures_are_of_their_cards: `
    select coalesce(f.expires_on, c.expires_on) || ' ' || coalesce(f.partner_id, c.partner_id) as id
      from (select expires_on, partner_id, large, sum(case kind when 'issue' then 1 else -1 end) as cards,
                   sum(case kind when 'issue' then amount else -amount end) as won
              from (${CARD_ACTS}) a group by expires_on, partner_id, large) c
      full join card_expiry f on f.expires_on = c.expires_on and f.partner_id = c.partner_id and f.large = c.large
     where coalesce(c.cards, 0) <> coalesce(f.cards, 0) or coalesce(c.won, 0) <> coalesce(f.won, 0)`,
  order_figures_are_of_their_orders: `
    select coalesce(f.day, c.day) || ' ' || coalesce(f.metal, c.metal) || ' ' || coalesce(f.side, c.side) as id
      from (select seoul_date(o.at) as day, o.metal, o.side, count(*) as orders, sum(o.total) as won, sum(o.units) as units
              from trade_order o
             where exists (select from transfer t where t.group_id = o.id and t.kind in ('buy', 'sell') and t.asset = o.metal
                              and t.id <= ${DONE('transfer')})
             group by 1, 2, 3) c
      full join order_day f on f.day = c.day and f.metal = c.metal and f.side = c.side
     where (c.orders, c.won, c.units) is distinct from (f.orders, f.won, f.units)`,
  withdrawal_figures_are_of_their_withdrawals: `
    select coalesce(f.day, c.day) || ' ' || coalesce(f.outcome, c.outcome) as id
      from (select seoul_date(case t.kind when 'withdraw' then w.requested_at else w.settled_at end) as day,
                   case t.kind when 'withdraw' then 'requested' when 'withdraw_paid' then 'paid' else 'returned' end as outcome,
                   count(*) as withdrawals, sum(w.amount) as won
              from transfer t join withdrawal w on w.id = t.group_id
             where t.id <= ${DONE('transfer')} and t.kind in ('withdraw', 'withdraw_paid', 'withdraw_back')
             group by 1, 2) c
      full join withdrawal_day f on f.day = c.day and f.outcome = c.outcome
     where (c.withdrawals, c.won) is distinct from (f.withdrawals, f.won)`,
  // The last end of each message. What ended long ago may have lost its history (docs/retention.md).
  delivery_figures_are_of_their_messages: `
    select coalesce(f.day, c.day) || ' ' || coalesce(f.channel, c.channel) || ' ' || coalesce(f.status, c.status) || ' '
           || coalesce(f.provider, c.provider) || ' ' || coalesce(f.reason, c.reason) as id
      from (select seoul_date(e.at) as day, d.channel, e.status, coalesce(e.provider, '') as provider,
                   coalesce(e.reason, '') as reason, count(*) as messages
              from (select distinct on (delivery_id) * from delivery_event
                     where id <= ${DONE('delivery_event')}
                       and (status in ('delivered', 'failed') or status = 'unknown' and reason in ('given_up', 'no_report'))
                     order by delivery_id, id desc) e
              join delivery d on d.id = e.delivery_id group by 1, 2, 3, 4, 5) c
      full join (select * from delivery_day where messages <> 0) f
        on f.day = c.day and f.channel = c.channel and f.status = c.status and f.provider = c.provider and f.reason = c.reason
     where coalesce(c.messages, 0) <> coalesce(f.messages, 0)
       and coalesce(f.day, c.day) > seoul_date((select service_now()) - interval '5 years 360 days')`,
  member_figures_are_of_their_members: `
    select coalesce(f.day, c.day)::text as id
      from (select seoul_date(created_at) as day, count(*) as members from member group by 1) c
      full join member_day f on f.day = c.day
     where coalesce(f.day, c.day) <= (select through_day from figure_source where source = 'member')
       and c.members is distinct from f.members`,
} as const
