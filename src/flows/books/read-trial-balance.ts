import { sql } from 'kysely'
import type { Database, Db } from '#base/db/db.ts'
import { seoulDate } from '#base/time/seoul-time.ts'
import { serviceNow } from '#base/time/service-clock.ts'
import type { NamedGroup } from '#flows/books/read-day.ts'
import { type Refusal, refused } from '#flows/kit/outcome.ts'
import { joinRanges, sumBalances } from '#modules/closed-days/rules.ts'
import {
  findNextClosed,
  listClosedDays,
  listDaysCorrecting,
  readClosedBalances,
} from '#modules/closed-days/store.ts'
import type { Balance, ClosedDay, IdRange } from '#modules/closed-days/types.ts'
import { mapPartnerCodes } from '#modules/partners/store.ts'

export type TrialRefusal = Refusal<'moment_ahead', { now: Temporal.Instant }>

export interface TrialAccount extends NamedGroup {
  // One of the two is 0: a balance of more credits than debits is a credit.
  debit: bigint
  credit: bigint
}

export interface TrialBalance {
  kind: 'balance'
  at: Temporal.Instant
  // The last transfer there was when it was made. One that commits later may still be of before the moment.
  position: bigint
  // The closed day that it was made from; null if there is none before the moment.
  from: string | null
  accounts: TrialAccount[]
}

// Every account at a moment: the last day that was closed before it, and the transfers since. Never all transfers.
export async function readTrialBalance(
  database: Database,
  asked?: Temporal.Instant,
): Promise<TrialBalance | TrialRefusal> {
  const now = await serviceNow(database)
  const at = asked ?? now
  if (Temporal.Instant.compare(at, now) > 0) return refused('moment_ahead', { now })
  const dayBefore = seoulDate(at).subtract({ days: 1 }).toString()
  const [base] = await listClosedDays(database, { until: dayBefore, limit: 1 })
  const opening = base ? await readClosedBalances(database, base.day) : []
  const ranges = await rangesSince(database, base)
  const codes = await mapPartnerCodes(database)
  const { moved, position } = await database.withSnapshot(async (db) => {
    const position = await readNewest(db)
    const moved: Balance[][] = []
    for (const range of ranges) moved.push(await readMoved(db, range, base, at))
    return { moved, position }
  })
  const accounts = sumBalances([opening, ...moved])
    .filter(({ balance }) => balance !== 0n)
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
    .map(({ account, asset, partnerId, balance }) => ({
      account,
      asset,
      partner: codes.get(partnerId) ?? null,
      debit: balance < 0n ? -balance : 0n,
      credit: balance > 0n ? balance : 0n,
    }))
  return { kind: 'balance', at, position, from: base?.day ?? null, accounts }
}

const sortKey = ({ asset, account, partnerId }: Balance) =>
  `${asset} ${account} ${`${partnerId}`.padStart(10, '0')}`

// Where transfers of before the moment can be that the base does not cover: in the day of the moment, in later days that correct
// it or an earlier one, and in what is not closed yet.
async function rangesSince(database: Database, base: ClosedDay | undefined): Promise<IdRange[]> {
  const after = base ? base.readsFrom - 1n : 0n
  const next = await findNextClosed(database, base?.day)
  if (!next) return [{ after, through: null }]
  const [last] = await listClosedDays(database, { limit: 1 })
  const late = await listDaysCorrecting(database, next.day)
  return joinRanges([
    { after, through: next.throughId },
    ...late,
    { after: last!.readsFrom - 1n, through: null },
  ])
}

async function readNewest(db: Db): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`select coalesce(max(id), 0) as id from transfer`.execute(db)
  return rows[0]!.id
}

// The numbers stand in the text: planned for any number, the statement might read all transfers.
async function readMoved(
  db: Db,
  { after, through }: IdRange,
  base: ClosedDay | undefined,
  at: Temporal.Instant,
): Promise<Balance[]> {
  const range = `t.id > ${after}${through === null ? '' : ` and t.id <= ${through}`}`
  const isOpen = base ? `(t.id > ${base.throughId} or seoul_date(t.at) > '${base.day}')` : 'true'
  const { rows } = await sql<Balance>`
    with moved as materialized (
      select t.asset, t.debit_account, t.credit_account, coalesce(g.partner_id, 0) as partner_id, sum(t.amount) as amount
        from transfer t left join lateral (select partner_id from gift_card where id = t.card_id offset 0) g on true
       where ${sql.raw(range)} and ${sql.raw(isOpen)} and t.at < ${at.toString()}::timestamptz
       group by 1, 2, 3, 4)
    select a.kind as account, l.asset,
           case when a.partner_id is not null then a.partner_id
                when a.kind in ('outstanding_cards', 'expired_cards') then l.partner_id else 0 end as "partnerId",
           sum(l.net)::bigint as balance
      from (select asset, partner_id, debit_account as account, -amount as net from moved
            union all select asset, partner_id, credit_account, amount from moved) l
      join account a on a.id = l.account
     group by 1, 2, 3`.execute(db)
  return rows
}
