import { sql } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import type { Database, Db } from '#base/db/db.ts'
import { readCheckpoint } from '#flows/books/since/checkpoint.ts'
import { hedgeGap } from '#modules/bullion/rules.ts'
import { listClosedDays, readClosedBalances } from '#modules/closed-days/store.ts'
import type { Balance, ClosedDay } from '#modules/closed-days/types.ts'
import type { MonthFacts, MonthVerification } from '#modules/closed-months/types.ts'
import { readLastPrices } from '#modules/pricing/store.ts'
import { lastDayOf, openOf } from '#modules/settlement/rules.ts'
import { listStatementsWithin } from '#modules/settlement/store.ts'
import type { Period, Statement } from '#modules/settlement/types.ts'

const MOST_DAYS = 31

interface MetalGap {
  metal: string
  units: bigint
  won: bigint | null
}

export interface MonthReading {
  facts: MonthFacts
  // Those that are closed, oldest first.
  days: ClosedDay[]
  statements: Statement[]
  gaps: MetalGap[]
  verifiedAt: Temporal.Instant | null
}

// first: the day with which the books begin.
export async function readMonthFacts(
  { database, signer }: { database: Database; signer: Pick<Vault, 'fingerprint'> },
  period: Period,
  { today, first }: { today: string; first: string | null },
): Promise<MonthReading> {
  const listed = await listClosedDays(database, { until: lastDayOf(period), limit: MOST_DAYS })
  const days = listed.filter(({ day }) => day >= period.from).reverse()
  const last = days.at(-1)
  const balances = last ? await readClosedBalances(database, last.day) : []
  const gaps = await readGaps(database, balances)
  const { checkpoint } = await readCheckpoint(database, signer)
  const reached = typeof checkpoint === 'string' ? undefined : checkpoint
  const { statements, ...moved } = await database.withSnapshot((db) => readOpenThings(db, period))
  const facts: MonthFacts = {
    ...moved,
    openDays: openDaysOf(period, { today, first, closed: new Set(days.map(({ day }) => day)) }),
    unevenAssets: unevenAssets(balances),
    verification: judgeVerification(checkpoint, last),
    statements: statements.map((one) => ({
      number: one.number,
      isSent: one.sentAt !== null,
      open: openOf(one),
    })),
    gaps: gaps.map(({ metal, won }) => ({ metal, won })),
  }
  const verifiedAt = reached ? Temporal.Instant.from(reached.at) : null
  return { facts, days, statements, gaps, verifiedAt }
}

function openDaysOf(
  { from, to }: Period,
  { today, first, closed }: { today: string; first: string | null; closed: ReadonlySet<string> },
): string[] {
  if (first === null) return []
  const open: string[] = []
  const end = today < to ? today : to
  let day = Temporal.PlainDate.from(first > from ? first : from)
  for (; day.toString() < end; day = day.add({ days: 1 }))
    if (!closed.has(day.toString())) open.push(day.toString())
  return open
}

function unevenAssets(balances: readonly Balance[]): string[] {
  const sums = [...Map.groupBy(balances, ({ asset }) => asset)]
  return sums
    .filter(([, of]) => of.reduce((total, { balance }) => total + balance, 0n) !== 0n)
    .map(([asset]) => asset)
}

// By ledger position, not by time: a sandbox's clock may have moved between the close and the run.
function judgeVerification(
  checkpoint: Awaited<ReturnType<typeof readCheckpoint>>['checkpoint'],
  last: ClosedDay | undefined,
): MonthVerification {
  if (typeof checkpoint === 'string') return checkpoint === 'broken' ? 'broken' : 'none'
  return last && checkpoint.head.throughId >= last.throughId ? 'good' : 'behind'
}

// At the end of the last closed day of the month, in won at the last price.
async function readGaps(database: Database, balances: readonly Balance[]): Promise<MetalGap[]> {
  const prices = await readLastPrices(database)
  const sum = (kind: string, metal: string) =>
    balances
      .filter(({ account, asset }) => account === kind && asset === metal)
      .reduce((total, { balance }) => total + balance, 0n)
  return ['XAU', 'XAG']
    .map((metal) => {
      const wonPerGram = prices.find((price) => price.metal === metal)?.wonPerGram
      const gap = hedgeGap(sum('holding', metal), -sum('inventory', metal), wonPerGram ?? 0n)
      return { metal, units: gap.units, won: wonPerGram === undefined ? null : gap.won }
    })
    .filter(({ units }) => units > 0n)
}

const midnight = (day: string) => `${day}T00:00:00+09:00`

async function readOpenThings(db: Db, period: Period) {
  const { from, to } = period
  const statements = await listStatementsWithin(db, period)
  // What a statement is made of: what the partner owes, and what was used of its cards.
  const { rows: unbilled } = await sql<{ partner: string; isLate: boolean }>`
    select o.code as partner,
           coalesce(max(u.day) < (select min(period_from) from partner_statement where partner_id = o.id), false) as "isLate"
      from (select distinct partner_id, day from closed_day_line
             where day >= ${from}::date and day < ${to}::date and partner_id > 0
               and (account = 'partner_receivable' or kind = 'redeem')) u
      join partner o on o.id = u.partner_id
     where not exists (select from partner_statement s
                        where s.partner_id = u.partner_id and s.period_from <= u.day and s.period_to > u.day)
     group by o.id, o.code order by o.code`.execute(db)
  const open = statements.filter((one) => openOf(one) > 0n).map(({ partnerId }) => partnerId)
  const { rows: unassigned } = await sql<{ partner: string; won: bigint }>`
    select o.code as partner, sum(p.amount - coalesce(x.paid, 0))::bigint as won
      from partner_payment p join partner o on o.id = p.partner_id
      left join lateral (select sum(amount) as paid from partner_payment_part where payment_id = p.id) x on true
     where p.partner_id = any(${open}::int[]) and p.reversed_at is null and p.amount > coalesce(x.paid, 0)
       and p.at >= ${midnight(from)}::timestamptz and p.at < ${midnight(to)}::timestamptz
     group by o.code order by o.code`.execute(db)
  const { rows: waiting } = await sql<{
    refunds: number
    requests: number
    withdrawals: number
    won: bigint
  }>`
    select r.refunds, r.requests, w.count as withdrawals, w.won
      from (select (count(*) filter (where kind = 'refund'))::int as refunds,
                   (count(*) filter (where kind <> 'refund'))::int as requests
              from change_request
             where status = 'waiting' and expires_at > service_now() and created_at < ${midnight(to)}::timestamptz) r
     cross join (select count(*)::int as count, coalesce(sum(amount), 0)::bigint as won from withdrawal
                  where status in ('requested', 'approved') and requested_at < ${midnight(to)}::timestamptz) w`.execute(
    db,
  )
  const { rows: late } = await sql<{ day: string; count: bigint }>`
    select day::text as day, sum(debit_count)::bigint as count from closed_day_line
     where belongs_to < day and (belongs_to >= ${from}::date and belongs_to < ${to}::date and day >= ${to}::date
                                 or day >= ${from}::date and day < ${to}::date and belongs_to < ${from}::date)
     group by 1 order by 1`.execute(db)
  const { refunds, requests, withdrawals, won } = waiting[0]!
  return {
    statements,
    unbilled,
    unassigned,
    waitingRefunds: refunds,
    waitingRequests: requests,
    withdrawals: { count: withdrawals, won },
    corrections: {
      count: late.reduce((sum, { count }) => sum + count, 0n),
      days: late.map(({ day }) => day),
    },
  }
}
