import { setTimeout as sleep } from 'node:timers/promises'
import type { Reader } from '#base/db/db.ts'
import type { Movement } from '#modules/closed-days/types.ts'

// A transfer that no closed day covers. $3 and $4: the position and the day of the last close.
const IS_OPEN = '(t.id > $3::bigint or seoul_date(t.at) > $4::date)'

// A card's own account of what a transfer did to it. Only a sandbox's clock can move inside one transaction.
export const IS_OF_ITS_CARD = `(t.kind not in ('issue', 'redeem', 'void', 'expire')
  or c.amount = t.amount and coalesce(
       t.at between c.cause - (select clock_offset from installation) and c.cause + (select clock_offset from installation), false))`

// Each lookup is a probe of a primary key: joined otherwise, the planner might read all cards there are.
export const CARD_OF_TRANSFER = `left join lateral (
    select g.id, g.partner_id, g.amount, case t.kind when 'issue' then g.issued_at when 'redeem' then g.used_at
           when 'void' then g.voided_at when 'expire' then g.expired_at end as cause
      from gift_card g where g.id = t.card_id offset 0) c on true`

// Summed up by pairs of accounts before those are looked up. A card's partner counts where the account is the house's.
const CHUNK = {
  name: 'read_close_movements',
  text: `with sums as materialized (
      select seoul_date(t.at) as day, t.kind, t.asset, t.debit_account, t.credit_account, coalesce(c.partner_id, 0) as partner_id,
             sum(t.amount) as amount, count(*) as movements, min(t.id) as first_id,
             count(*) filter (where not coalesce(${IS_OF_ITS_CARD}, false)) as wrong
        from transfer t ${CARD_OF_TRANSFER}
       where t.id > $1::bigint and t.id <= $2::bigint and ${IS_OPEN}
       group by 1, 2, 3, 4, 5, 6),
    legs as (
      select day, kind, asset, partner_id, debit_account as account, amount as debit, 0 as credit, movements as debits,
             0 as credits, first_id, wrong from sums
      union all
      select day, kind, asset, partner_id, credit_account, 0, amount, 0, movements, first_id, 0 from sums)
    select l.day, l.kind, l.asset, coalesce(a.kind, 'unknown') as account,
           case when a.partner_id is not null then a.partner_id
                when a.kind in ('outstanding_cards', 'expired_cards') then l.partner_id else 0 end as "partnerId",
           sum(l.debit)::bigint as debit, sum(l.credit)::bigint as credit, sum(l.debits)::bigint as "debitCount",
           sum(l.credits)::bigint as "creditCount", min(l.first_id) as "firstId", sum(l.wrong)::bigint as wrong
      from legs l left join lateral (select kind, partner_id from account where id = l.account offset 0) a on true
     group by 1, 2, 3, 4, 5`,
}

const CHUNK_END = {
  name: 'find_close_chunk',
  text: 'select id from transfer where id > $1::bigint and id <= $2::bigint order by id offset $3::int limit 1',
}

export interface Covered {
  throughId: bigint
  day: string
  readsFrom: bigint
}

// Before the first close nothing is covered.
export const NOTHING_COVERED: Covered = { throughId: 0n, day: '-infinity', readsFrom: 1n }

export interface Range {
  // Both are ids of transfers; the first is left out.
  after: bigint
  through: bigint
}

export type MovementOfCards = Movement & { wrong: bigint }

function readChunk(database: Reader, range: Range, covered: Covered): Promise<MovementOfCards[]> {
  return database.read<MovementOfCards>(CHUNK, [range.after, range.through, covered.throughId, covered.day])
}

export interface Pacing {
  // So many transfers at a time.
  chunk: number
  // How long it rests after each chunk, in parts of the time that the chunk took. Purchases have the machine meanwhile.
  rest: number
  onProgress?: (throughId: bigint) => void
}

// After each chunk the database has three times as long for others (decisions/0073 has the figures).
export const PACING: Pacing = { chunk: 20_000, rest: 3 }

export async function* readMovements(
  database: Reader,
  { after, through }: Range,
  covered: Covered,
  { chunk, rest, onProgress }: Pacing,
): AsyncGenerator<MovementOfCards[]> {
  for (let from = after; from < through; ) {
    const began = performance.now()
    const [end] = await database.read<{ id: bigint }>(CHUNK_END, [from, through, chunk - 1])
    const to = end?.id ?? through
    yield await readChunk(database, { after: from, through: to }, covered)
    onProgress?.(to)
    from = to
    if (end) await sleep((performance.now() - began) * rest)
  }
}
