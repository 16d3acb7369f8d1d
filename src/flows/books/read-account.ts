import type { Database } from '#base/db/db.ts'
import { serviceNow } from '#base/time/service-clock.ts'
import { idOf } from '#flows/books/read-day.ts'
import { findSince, readMovedSince } from '#flows/books/read-moved.ts'
import { type Refusal, refused } from '#flows/kit/outcome.ts'
import { nextDay } from '#modules/closed-days/rules.ts'
import { listAccountLines, readClosedBalances } from '#modules/closed-days/store.ts'
import type { AccountGroup, Line } from '#modules/closed-days/types.ts'
import { mapPartnerCodes } from '#modules/partners/store.ts'

export interface AccountQuestion {
  account: string
  asset: string
  partner?: string | undefined
  // The first day; the first of the month of the last closed day if there is none.
  from?: string | undefined
  at?: Temporal.Instant | undefined
}

export interface AccountAt {
  kind: 'account'
  from: string
  at: Temporal.Instant
  // The last day whose lines are of the close; null if there is none. The lines after it are of transfers.
  closedUntil: string | null
  opening: bigint
  lines: Line[]
  closing: bigint
}

export type AccountRefusal =
  | Refusal<'moment_ahead', { now: Temporal.Instant }>
  | Refusal<'partner_not_found', { partner: string }>

// An account from a day to a moment: opening balance, movements by day and kind, and the balance that the trial balance of the
// moment has. Closed days as they were closed, then the transfers since: never all transfers.
export async function readAccountAt(
  database: Database,
  { account, asset, partner, from: asked, at: moment }: AccountQuestion,
): Promise<AccountAt | AccountRefusal> {
  const now = await serviceNow(database)
  const at = moment ?? now
  if (Temporal.Instant.compare(at, now) > 0) return refused('moment_ahead', { now })
  const codes = await mapPartnerCodes(database)
  const partnerId = partner === undefined ? 0 : idOf(codes, partner)
  if (partnerId === undefined) return refused('partner_not_found', { partner: partner! })
  const isAsked = (group: AccountGroup) =>
    group.account === account && group.asset === asset && group.partnerId === partnerId
  const since = await findSince(database, at)
  const closedUntil = since.base?.day ?? null
  const end = closedUntil === null ? dayOf(at) : nextDay(closedUntil)
  const begin = asked ?? `${(closedUntil ?? end).slice(0, 7)}-01`
  const from = begin < end ? begin : end
  const balances = closedUntil === null ? [] : await readClosedBalances(database, dayBefore(from))
  const opening = balances.find(isAsked)?.balance ?? 0n
  const closed =
    from < end ? (await listAccountLines(database, { account, from, to: end })).filter(isAsked) : []
  const moved = await database.withSnapshot((db) => readMovedSince(db, since, at))
  const lines = [...closed, ...moved.filter(isAsked)]
  const closing = lines.reduce((sum, { credit, debit }) => sum + credit - debit, opening)
  return { kind: 'account', from, at, closedUntil, opening, lines, closing }
}

const dayOf = (at: Temporal.Instant) => at.toZonedDateTimeISO('Asia/Seoul').toPlainDate().toString()
const dayBefore = (day: string) => Temporal.PlainDate.from(day).subtract({ days: 1 }).toString()
