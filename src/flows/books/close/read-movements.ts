import { setTimeout as sleep } from 'node:timers/promises'
import type { Reader } from '#base/db/db.ts'
import type { Movement } from '#modules/closed-days/types.ts'

// A transfer that no closed day covers. $3 and $4: the position and the day of the last close.
const IS_OPEN = '(t.id > $3::bigint or seoul_date(t.at) > $4::date)'

// A card's own account of what a transfer did to it. Only a sandbox's clock can move inside one transaction.
export const IS_OF_ITS_CARD = `(t.kind not in ('issue', 'redeem', 'void', 'expire')
  or c.amount = t.amount and coalesce(t.at = c.cause
       or t.at between c.cause - (select clock_offset from installation) and c.cause + (select clock_offset from installation), false))`

// Each lookup is a probe of a primary key: joined otherwise, the planner might read all cards there are.
export const CARD_OF_TRANSFER = `left join lateral (
    select g.id, g.partner_id, g.amount, case t.kind when 'issue' then g.issued_at when 'redeem' then g.used_at
           when 'void' then g.voided_at when 'expire' then g.expired_at end as cause
      from gift_card g where g.id = t.card_id offset 0) c on true`

// Summed up by pairs of accounts before those are looked up, each once. A card's partner counts where the account is the house's.
// Numbers come first in each group, and texts are compared as bytes: half of the time went into comparing texts.
// acts: how many of the transfers did what their card says happened to it in the period, $5 to $6.
const CHUNK = {
  name: 'read_close_movements',
  text: `with sums as materialized (
      select t.credit_account, t.debit_account, coalesce(c.partner_id, 0) as partner_id, seoul_date(t.at) as day,
             t.kind collate "C" as kind, t.asset collate "C" as asset, sum(t.amount) as amount, count(*) as movements,
             min(t.id) as first_id, count(*) filter (where not coalesce(${IS_OF_ITS_CARD}, false)) as wrong,
             count(*) filter (where c.cause >= $5::timestamptz and c.cause < $6::timestamptz) as acts
        from transfer t ${CARD_OF_TRANSFER}
       where t.id > $1::bigint and t.id <= $2::bigint and ${IS_OPEN}
       group by 1, 2, 3, 4, 5, 6),
    accounts as materialized (
      select m.id, a.kind, a.partner_id
        from (select debit_account as id from sums union select credit_account from sums) m
        left join lateral (select kind, partner_id from account where id = m.id offset 0) a on true),
    legs as (
      select debit_account as account, partner_id, day, kind, asset, amount as debit, 0 as credit, movements as debits,
             0 as credits, first_id, wrong, acts from sums
      union all
      select credit_account, partner_id, day, kind, asset, 0, amount, 0, movements, first_id, 0, 0 from sums)
    select case when a.partner_id is not null then a.partner_id
                when a.kind in ('outstanding_cards', 'expired_cards') then l.partner_id else 0 end as "partnerId",
           l.day, l.kind, l.asset, coalesce(a.kind, 'unknown') collate "C" as account,
           sum(l.debit)::bigint as debit, sum(l.credit)::bigint as credit, sum(l.debits)::bigint as "debitCount",
           sum(l.credits)::bigint as "creditCount", min(l.first_id) as "firstId", sum(l.wrong)::bigint as wrong,
           sum(l.acts)::bigint as acts
      from legs l join accounts a on a.id = l.account
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

// From one midnight in Seoul to another, the last one left out.
export interface Acting {
  from: string
  end: string
}

export type MovementOfCards = Movement & { wrong: bigint; acts: bigint }

export interface Pacing {
  // So many transfers at a time.
  chunk: number
  // A chunk is not begun sooner than this after the one before it. On a quiet machine this is what leaves purchases their rate.
  everyMs: number
  // Nor before a rest of so many times what the chunk took. On a busy machine that is longer.
  rest: number
  onProgress?: (throughId: bigint) => void
}

// 25,000 transfers a second, 40 s for a million. Reading them takes about 6 s of a core (docs/scale.md).
export const PACING: Pacing = { chunk: 10_000, everyMs: 400, rest: 1 }

// Until the next chunk may begin.
export async function pause(began: number, { everyMs, rest }: Pacing): Promise<void> {
  const took = performance.now() - began
  await sleep(Math.max(took * rest, everyMs - took))
}

export async function* readMovements(
  database: Reader,
  { after, through }: Range,
  { covered, period }: { covered: Covered; period: Acting },
  pacing: Pacing,
): AsyncGenerator<MovementOfCards[]> {
  for (let from = after; from < through; ) {
    const began = performance.now()
    const [end] = await database.read<{ id: bigint }>(CHUNK_END, [from, through, pacing.chunk - 1])
    const to = end?.id ?? through
    const values = [from, to, covered.throughId, covered.day, period.from, period.end]
    yield await database.read<MovementOfCards>(CHUNK, values)
    pacing.onProgress?.(to)
    from = to
    if (end) await pause(began, pacing)
  }
}
