import { sql } from 'kysely'
import type { Tx } from '#base/db/db.ts'
import { LARGE_CARD_WON, type NumberedSource } from './types.ts'

// A message is at its end. Unknown is one only if nobody asks about it any more.
const IS_END = (event: string) =>
  sql.raw(`(${event}.status in ('delivered', 'failed')
            or ${event}.status = 'unknown' and ${event}.reason in ('given_up', 'no_report'))`)

interface Range {
  after: bigint
  through: bigint
}

const within = (alias: string, { after, through }: Range) =>
  sql`${sql.ref(`${alias}.id`)} > ${after} and ${sql.ref(`${alias}.id`)} <= ${through}`

async function countCardDays(tx: Tx, range: Range): Promise<void> {
  await sql`
  insert into card_day as f (day, partner_id, issued, issued_won, used, used_won, voided, voided_won, expired, expired_won)
  select seoul_date(t.at), c.partner_id,
         count(*) filter (where t.kind = 'issue'), coalesce(sum(t.amount) filter (where t.kind = 'issue'), 0),
         count(*) filter (where t.kind = 'redeem'), coalesce(sum(t.amount) filter (where t.kind = 'redeem'), 0),
         count(*) filter (where t.kind = 'void'), coalesce(sum(t.amount) filter (where t.kind = 'void'), 0),
         count(*) filter (where t.kind = 'expire'), coalesce(sum(t.amount) filter (where t.kind = 'expire'), 0)
    from transfer t join gift_card c on c.id = t.card_id
   where ${within('t', range)} and t.kind in ('issue', 'redeem', 'void', 'expire')
   group by 1, 2
  on conflict (day, partner_id) do update
     set issued = f.issued + excluded.issued, issued_won = f.issued_won + excluded.issued_won,
         used = f.used + excluded.used, used_won = f.used_won + excluded.used_won,
         voided = f.voided + excluded.voided, voided_won = f.voided_won + excluded.voided_won,
         expired = f.expired + excluded.expired, expired_won = f.expired_won + excluded.expired_won`.execute(
    tx,
  )
}

async function countExpiry(tx: Tx, range: Range): Promise<void> {
  await sql`
  insert into card_expiry as f (expires_on, partner_id, large, cards, won)
  select c.expires_on, c.partner_id, c.amount > ${LARGE_CARD_WON}, sum(case t.kind when 'issue' then 1 else -1 end),
         sum(case t.kind when 'issue' then t.amount else -t.amount end)
    from transfer t join gift_card c on c.id = t.card_id
   where ${within('t', range)} and t.kind in ('issue', 'redeem', 'void', 'expire')
   group by 1, 2, 3
  on conflict (expires_on, partner_id, large) do update
     set cards = f.cards + excluded.cards, won = f.won + excluded.won`.execute(tx)
}

// The last day of an open card moves. The lock keeps counting apart: a card whose issue is not counted yet will be counted at
// its new day.
export async function moveCountedExpiry(tx: Tx, cardId: string, toDay: string): Promise<void> {
  await sql`select from figure_source where source = 'transfer' for update`.execute(tx)
  await sql`
  insert into card_expiry as f (expires_on, partner_id, large, cards, won)
  select d.day, c.partner_id, c.amount > ${LARGE_CARD_WON}, d.sign, d.sign * c.amount
    from gift_card c
    join transfer t on t.card_id = c.id and t.kind = 'issue'
    join figure_source s on s.source = 'transfer' and t.id <= s.through_id
   cross join lateral (values (c.expires_on, -1), (${toDay}::date, 1)) as d (day, sign)
   where c.id = ${cardId}
   order by 1
  on conflict (expires_on, partner_id, large) do update
     set cards = f.cards + excluded.cards, won = f.won + excluded.won`.execute(tx)
}

// The leg of metal stands for its order: there is one.
async function countOrders(tx: Tx, range: Range): Promise<void> {
  await sql`
  insert into order_day as f (day, metal, side, orders, won, units)
  select seoul_date(t.at), o.metal, o.side, count(*), sum(o.total), sum(o.units)
    from transfer t join trade_order o on o.id = t.group_id
   where ${within('t', range)} and t.kind in ('buy', 'sell') and t.asset in ('XAU', 'XAG')
   group by 1, 2, 3
  on conflict (day, metal, side) do update
     set orders = f.orders + excluded.orders, won = f.won + excluded.won, units = f.units + excluded.units`.execute(
    tx,
  )
}

async function countWithdrawals(tx: Tx, range: Range): Promise<void> {
  await sql`
  insert into withdrawal_day as f (day, outcome, withdrawals, won)
  select seoul_date(t.at), case t.kind when 'withdraw' then 'requested' when 'withdraw_paid' then 'paid' else 'returned' end,
         count(*), sum(t.amount)
    from transfer t
   where ${within('t', range)} and t.kind in ('withdraw', 'withdraw_paid', 'withdraw_back')
   group by 1, 2
  on conflict (day, outcome) do update
     set withdrawals = f.withdrawals + excluded.withdrawals, won = f.won + excluded.won`.execute(tx)
}

// A message that ended before leaves the day of that end.
async function countDeliveries(tx: Tx, range: Range): Promise<void> {
  await sql`
  insert into delivery_day as f (day, channel, status, provider, reason, messages)
  select seoul_date(e.at), d.channel, e.status, coalesce(e.provider, ''), coalesce(e.reason, ''), sum(e.change)
    from (select n.delivery_id, n.at, n.status, n.provider, n.reason, 1 as change
            from delivery_event n where ${within('n', range)} and ${IS_END('n')}
          union all
          select n.delivery_id, b.at, b.status, b.provider, b.reason, -1
            from delivery_event n
           cross join lateral (select * from delivery_event b
                                where b.delivery_id = n.delivery_id and b.id < n.id and ${IS_END('b')}
                                order by b.id desc limit 1) b
           where ${within('n', range)} and ${IS_END('n')}) e
    join delivery d on d.id = e.delivery_id
   group by 1, 2, 3, 4, 5
  on conflict (day, channel, status, provider, reason) do update set messages = f.messages + excluded.messages`.execute(
    tx,
  )
}

const COUNTS: Record<NumberedSource, readonly ((tx: Tx, range: Range) => Promise<void>)[]> = {
  transfer: [countCardDays, countExpiry, countOrders, countWithdrawals],
  delivery_event: [countDeliveries],
}

// Counts the next rows of a source, none beyond `committed`, and remembers how far it came in the same transaction. Undefined:
// another process is at it.
export async function countNext(
  tx: Tx,
  source: NumberedSource,
  { committed, limit }: { committed: bigint; limit: number },
): Promise<{ through: bigint; isAll: boolean } | undefined> {
  const { rows } = await sql<{ after: bigint }>`
    select through_id as after from figure_source where source = ${source} for update skip locked`.execute(tx)
  const after = rows[0]?.after
  if (after === undefined) return undefined
  if (after >= committed) return { through: after, isAll: true }
  const through = (await findLast(tx, source, { after, committed, limit })) ?? committed
  for (const count of COUNTS[source]) await count(tx, { after, through })
  const isAll = through === committed
  await sql`update figure_source
               set through_id = ${through}, counted_at = case when ${isAll} then now() else counted_at end
             where source = ${source}`.execute(tx)
  return { through, isAll }
}

// The last row of a full chunk; undefined if there are fewer.
async function findLast(
  tx: Tx,
  source: NumberedSource,
  { after, committed, limit }: { after: bigint; committed: bigint; limit: number },
): Promise<bigint | undefined> {
  const { rows } = await sql<{ id: bigint }>`
    select id from ${sql.table(source)} where id > ${after} and id <= ${committed}
     order by id offset ${limit - 1} limit 1`.execute(tx)
  return rows[0]?.id
}

// Members have no ids in order: the days that may still change are counted anew. Two days back, since a signup commits within
// seconds of its time. Writes only what differs.
export async function countMembers(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ since: string | null; today: string }>`
    select through_day + 1 as since, seoul_date(service_now()) as today from figure_source
     where source = 'member' for update skip locked`.execute(tx)
  if (!rows[0]) return false
  const { since, today } = rows[0]
  await sql`
    insert into member_day as f (day, members)
    select seoul_date(m.created_at), count(*) from member m
     where m.created_at >= coalesce(${since}::date::timestamp at time zone 'Asia/Seoul', '-infinity') group by 1
    on conflict (day) do update set members = excluded.members where f.members <> excluded.members`.execute(
    tx,
  )
  await sql`update figure_source set through_day = ${today}::date - 2, counted_at = now()
             where source = 'member' and through_day is distinct from ${today}::date - 2`.execute(tx)
  return true
}
