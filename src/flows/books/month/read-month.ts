import type { Vault } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import { serviceNow } from '#base/time/service-clock.ts'
import { readAttempt } from '#flows/books/close/close-and-note.ts'
import { readPlace } from '#flows/books/close/position.ts'
import { judgeMonth, type MonthPlace, placeMonth } from '#modules/closed-months/rules.ts'
import { listClosedMonths } from '#modules/closed-months/store.ts'
import type { ClosedMonth, MonthItem } from '#modules/closed-months/types.ts'
import { monthPeriod } from '#modules/settlement/rules.ts'
import type { Period } from '#modules/settlement/types.ts'
import { type MonthReading, readMonthFacts } from './read-facts.ts'

const LISTED = 120 // ten years

export interface MonthDeps {
  database: Database
  signer: Pick<Vault, 'fingerprint'>
}

export interface MonthEnd {
  at: Temporal.Instant
  month: string
  period: Period
  today: string
  place: MonthPlace
  // The month in which the books begin; null if there are no transfers yet.
  firstMonth: string | null
  // The one that can be closed next.
  next: string
  closed: ClosedMonth | undefined
  // The newest first.
  months: ClosedMonth[]
  items: MonthItem[]
  reading: MonthReading
  // Why a day could not be closed when that was last tried.
  attempt: Awaited<ReturnType<typeof readAttempt>>
}

// What stands against closing a month, and what is left to do in it. Without a month: the next one.
export async function readMonthEnd({ database, signer }: MonthDeps, asked?: string): Promise<MonthEnd> {
  const { today, firstDay: first } = await readPlace(database)
  const months = await listClosedMonths(database, LISTED)
  const last = months[0]?.month ?? null
  const { next } = placeMonth(today.slice(0, 7), { today, first, last })
  const month = asked ?? next
  const { place } = placeMonth(month, { today, first, last })
  const period = monthPeriod(month)
  const reading = await readMonthFacts({ database, signer }, period, { today, first })
  return {
    at: await serviceNow(database),
    month,
    period,
    today,
    place,
    firstMonth: first?.slice(0, 7) ?? null,
    next,
    closed: months.find((one) => one.month === month),
    months,
    items: judgeMonth(reading.facts),
    reading,
    attempt: await readAttempt(database),
  }
}
