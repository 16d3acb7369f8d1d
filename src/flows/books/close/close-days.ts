import type { Database } from '#base/db/db.ts'
import { LOCKS } from '#base/db/locks.ts'
import { type Refusal, refused } from '#flows/kit/outcome.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { compareBalances, DayBook, nextDay, sumBalances } from '#modules/closed-days/rules.ts'
import {
  findLastClosed,
  insertClosing,
  isLastClosed,
  lockClosing,
  readClosedBalances,
} from '#modules/closed-days/store.ts'
import type { Balance, Closing } from '#modules/closed-days/types.ts'
import {
  type ActCounts,
  type Difference,
  hasEveryAct,
  listCardsMovedTwice,
  listCardsWithoutTransfer,
  listWrongAccounts,
  listWrongTransfers,
} from './find-differences.ts'
import { findPosition, readPlace } from './position.ts'
import { readAccountsAt } from './read-accounts.ts'
import { type Covered, NOTHING_COVERED, PACING, type Pacing, readMovements } from './read-movements.ts'

const MAX_DAYS = 92 // lines of so many days are held in memory at once

export type CloseRefusal =
  | Refusal<'day_not_over', { day: string; today: string }>
  | Refusal<'day_before_first', { day: string; first: string | null }>
  // A transaction that wrote transfers does not end, or another process is closing.
  | Refusal<'transaction_open' | 'closing_runs'>

// open: from this day on nothing was closed, because of these rows.
export interface Closed {
  kind: 'done'
  closed: string[]
  open: { day: string; differences: Difference[] } | undefined
}

interface CloseCommand extends Partial<Pacing> {
  // The last day to close; yesterday if none is named.
  day?: string | undefined
  actor: string
}

interface Batch {
  first: string
  last: string
  position: bigint
  covered: Covered
}

// Closes the days that are over, in order. Reads without a lock; one short transaction writes what was read. A process that dies
// before it leaves the days open.
export function closeDays(database: Database, command: CloseCommand): Promise<Closed | CloseRefusal> {
  return onlyOne(database, async () => {
    const place = await readPlace(database)
    const { day = yesterdayOf(place.today), actor, ...pacing } = command
    if (day >= place.today) return refused('day_not_over', { day, today: place.today })
    const before = await findLastClosed(database)
    const begin = before ? nextDay(before.day) : place.firstDay
    if (begin === null || (!before && day < begin)) {
      if (command.day === undefined) return { kind: 'done', closed: [], open: undefined }
      return refused('day_before_first', { day, first: begin })
    }
    const position = await findPosition(database, place.newest)
    if (position === undefined) return refused('transaction_open')
    const closed: string[] = []
    for (let first = begin; first <= day; ) {
      const covered = (await findLastClosed(database)) ?? NOTHING_COVERED
      const last = earlier(day, addDays(first, MAX_DAYS - 1))
      const done = await closeBatch(database, { first, last, position, covered }, actor, {
        ...PACING,
        ...pacing,
      })
      if (done.kind === 'overtaken') return refused('closing_runs')
      closed.push(...done.closed)
      if (done.open) return { kind: 'done', closed, open: done.open }
      first = nextDay(last)
    }
    return { kind: 'done', closed, open: undefined }
  })
}

type BatchOutcome = Omit<Closed, 'kind'> & { kind: 'done' }

// Days before the first difference can be closed all the same.
async function closeBatch(
  database: Database,
  batch: Batch,
  actor: string,
  pacing: Pacing,
): Promise<BatchOutcome | { kind: 'overtaken' }> {
  const read = await readDays(database, batch, pacing)
  if (read.kind === 'open') {
    const { differences } = read
    const day = firstDayOf(differences, batch.first)
    if (day === batch.first) return { kind: 'done', closed: [], open: { day, differences } }
    const whole = await closeBatch(database, { ...batch, last: yesterdayOf(day) }, actor, pacing)
    return whole.kind === 'overtaken' || whole.open ? whole : { ...whole, open: { day, differences } }
  }
  const { closing } = read
  const isWritten = await database.withLongTransaction(async (tx) => {
    await lockClosing(tx)
    if (!(await isLastClosed(tx, batch.covered === NOTHING_COVERED ? undefined : batch.covered.day)))
      return false
    const hash = await insertClosing(tx, closing, { throughId: batch.position, actor })
    const { first, last, position } = batch
    await insertAuditEntry(tx, {
      actor,
      action: 'books.close',
      subject: last,
      // Anchored with the audit log: closed days that were rewritten or cut off are found by it.
      details: { first, last, throughId: position.toString(), hash: hash.toString('hex') },
    })
    return true
  })
  if (!isWritten) return { kind: 'overtaken' }
  return { kind: 'done', closed: closing.days.map(({ day }) => day), open: undefined }
}

// A difference whose day is not known keeps all days open, and so does one of a day that was closed before.
function firstDayOf(differences: readonly Difference[], first: string): string {
  return differences.map(({ day }) => (day === null || day < first ? first : day)).reduce(earlier)
}

type Reading = { kind: 'open'; differences: Difference[] } | { kind: 'balanced'; closing: Closing }

async function readDays(
  database: Database,
  { first, last, position, covered }: Batch,
  pacing: Pacing,
): Promise<Reading> {
  // First, while little has happened since the position.
  const accounts = await readAccountsAt(database, position)
  const opening = covered === NOTHING_COVERED ? [] : await readClosedBalances(database, covered.day)
  const book = new DayBook(first, last)
  const range = { after: covered.readsFrom - 1n, through: position }
  const period = { from: midnight(first), end: midnight(nextDay(last)) }
  const counted: ActCounts = { issue: 0n, redeem: 0n, void: 0n, expire: 0n }
  let wrong = 0n
  for await (const movements of readMovements(database, range, { covered, period }, pacing)) {
    book.add(movements)
    for (const { day, kind, wrong: found, acts } of movements) {
      if (day <= last) wrong += found
      if (acts > 0n) counted[kind as keyof ActCounts] += acts
    }
  }
  const closing = book.close(opening, position)
  const differences: Difference[] = []
  if (wrong > 0n) {
    const found = await listWrongTransfers(database, range, covered)
    differences.push(...found.filter(({ day }) => day === null || day <= last))
  }
  // One that came after the position is counted and has its transfer: then each is looked up.
  const isEqual = await hasEveryAct(database, counted, period)
  if (!isEqual) differences.push(...(await listCardsWithoutTransfer(database, period, pacing)))
  const twice = await listCardsMovedTwice(database, range, isEqual)
  differences.push(...twice.filter(({ day }) => day === null || day <= last))
  const unequal = compareBalances(
    sumBalances([opening, netOf(closing), book.ahead(), accounts.since]),
    accounts.now,
  )
  if (unequal.length > 0) differences.push(...(await listWrongAccounts(database, unequal)))
  return differences.length > 0 ? { kind: 'open', differences } : { kind: 'balanced', closing }
}

function netOf({ balances }: Closing): Balance[] {
  return balances.map(({ credit, debit, ...group }) => ({ ...group, balance: credit - debit }))
}

const earlier = (one: string, other: string) => (one < other ? one : other)
const addDays = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString()
const yesterdayOf = (day: string) => addDays(day, -1)
const midnight = (day: string) => `${day}T00:00:00+09:00`

// A session lock, so that two workers do not read the same day. If it is lost, the transaction that writes still notices.
async function onlyOne<Outcome>(
  database: Database,
  work: () => Promise<Outcome>,
): Promise<Outcome | CloseRefusal> {
  const client = await database.pool.connect()
  try {
    const { rows } = await client.query(`select pg_try_advisory_lock(${LOCKS.closing}) as taken`)
    if (!rows[0].taken) return refused('closing_runs')
    return await work()
  } finally {
    await client.query(`select pg_advisory_unlock(${LOCKS.closing})`).catch(() => {})
    client.release(true)
  }
}
