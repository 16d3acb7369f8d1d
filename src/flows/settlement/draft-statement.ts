import type { Database, Db } from '#base/db/db.ts'
import { seoulDate } from '#base/time/seoul-time.ts'
import { serviceNow } from '#base/time/service-clock.ts'
import { type NoPartner, type Refusal, refused } from '#flows/kit/outcome.ts'
import {
  findClosedDay,
  findLastClosed,
  listAccountLines,
  readClosedBalances,
} from '#modules/closed-days/store.ts'
import type { ClosedDay, Line } from '#modules/closed-days/types.ts'
import { findPartner } from '#modules/partners/store.ts'
import type { Partner } from '#modules/partners/types.ts'
import { makeStatement } from '#modules/settlement/make-statement.ts'
import {
  fromText,
  lastDayOf,
  type PeriodRefusal,
  refusePeriod,
  statementNumber,
} from '#modules/settlement/rules.ts'
import {
  findFirstMove,
  findLastStatement,
  findLegalDetails,
  type LastStatement,
  listPaymentsWithin,
  listRates,
  listStatementPeriods,
  listStatementsFrom,
  sumNamedPayments,
  sumVoids,
} from '#modules/settlement/store.ts'
import type { CardSum, Period, StatementData } from '#modules/settlement/types.ts'
import { sumUsage } from '#modules/usage/store.ts'

export type DraftRefusal =
  | NoPartner
  // last: the end of the statement before; moved: the first day with movements; today: in Seoul.
  | Refusal<PeriodRefusal, { period: Period; last: string | null; moved: string | null; today: string }>
  | Refusal<'period_not_closed', { day: string; closedUntil: string | null }>
  // The books and the cards say different things.
  | Refusal<'books_differ', { figure: string; books: bigint; cards: bigint }>

export interface StatementCommand {
  code: string
  period: Period
  // Of a first statement: days with movements before it stay without one, because they were billed elsewhere.
  leaveEarlier?: boolean
}

export interface Draft {
  kind: 'draft'
  data: StatementData
  partner: Partner
  previous: LastStatement | undefined
}

// A statement as it would be closed now. Made of closed days, the index of voids, and the partner's payments: never of all cards.
export async function draftStatement(
  database: Database,
  command: StatementCommand,
): Promise<Draft | DraftRefusal> {
  const prepared = await prepareStatement(database, command)
  return prepared.kind === 'refused' ? prepared : completeStatement(database.db, prepared)
}

// What does not change any more, read outside any transaction; and what the usage API says now.
export async function prepareStatement(
  database: Database,
  { code, period, leaveEarlier = false }: StatementCommand,
) {
  const partner = await findPartner(database.db, code)
  if (!partner) return refused('partner_not_found', { partner: code })
  const today = seoulDate(await serviceNow(database)).toString()
  const refusal = await refuseNow(database.db, partner.id, { period, today, leaveEarlier })
  if (refusal) return refusal
  const lastDay = await findClosedDay(database, lastDayOf(period))
  if (!lastDay) {
    const closedUntil = (await findLastClosed(database))?.day ?? null
    return refused('period_not_closed', { day: lastDayOf(period), closedUntil })
  }
  const books = await readBooks(database, partner.id, period, lastDay)
  if (books.kind === 'refused') return books
  const days = [period.from, lastDay.day].map((day) => Temporal.PlainDate.from(day)) as [PlainDate, PlainDate]
  const { issued, used } = await sumUsage(database, partner.id, ...days)
  const usage = { issued, used }
  return { kind: 'prepared' as const, code, period, leaveEarlier, today, lastDay, books, usage }
}

type PlainDate = Temporal.PlainDate
type Books = Extract<Awaited<ReturnType<typeof readBooks>>, { kind: 'books' }>
type Prepared = Extract<Awaited<ReturnType<typeof prepareStatement>>, { kind: 'prepared' }>

async function refuseNow(
  db: Db,
  partnerId: number,
  { period, today, leaveEarlier }: Required<Omit<StatementCommand, 'code'>> & { today: string },
) {
  const last = (await listStatementPeriods(db, partnerId)).at(-1)?.period
  const moved = last || leaveEarlier ? null : await findFirstMove(db, partnerId)
  const reason = refusePeriod(period, today, { last, moved })
  return reason && refused(reason, { period, last: last?.to ?? null, moved, today })
}

// The rest: the partner, its rates and payments as they are now. Under the partner's lock it is what is closed.
export async function completeStatement(db: Db, prepared: Prepared): Promise<Draft | DraftRefusal> {
  const { code, period, lastDay, books, usage } = prepared
  const partner = (await findPartner(db, code))!
  const refusal = await refuseNow(db, partner.id, prepared)
  if (refusal) return refusal
  const previous = await findLastStatement(db, partner.id)
  const named = await sumNamedPayments(db, partner.id, period)
  const payments = await listPaymentsWithin(db, partner.id, period)
  const legal = await findLegalDetails(db, partner.id)
  const data = makeStatement({
    number: statementNumber(code, period),
    period,
    partner: {
      code,
      name: partner.name,
      ...(legal ?? { legalName: partner.name, businessNumber: null, representative: null, address: null }),
    },
    books: { day: lastDay.day, throughId: lastDay.throughId, hash: lastDay.hash.toString('hex') },
    ...books,
    paid: { cards: books.paidCards, ...named },
    rates: await listRates(db, partner.id),
    earlier: (await listStatementsFrom(db, partner.id, firstDayOf(books, period))).map(fromText),
    previous: previous && fromText(previous.data),
    payments: payments.map(({ reference, amount, at, pays }) => ({
      reference,
      amount,
      at: at.toString(),
      pays: pays.map((one) => ({ statement: one.statement, amount: BigInt(one.amount) })),
    })),
    usage,
    creditLimit: partner.creditLimit,
  })
  return { kind: 'draft', data, partner, previous }
}

// The earliest day that something in the period belongs to.
function firstDayOf({ issued, used, voided }: Books, { from }: Period): string {
  return [from, ...[...issued, ...used, ...voided].map(({ day }) => day)].reduce((one, other) =>
    other < one ? other : one,
  )
}

// What the closed days of the period say about a partner.
async function readBooks(database: Database, partnerId: number, period: Period, last: ClosedDay) {
  const before = await findClosedDay(
    database,
    Temporal.PlainDate.from(period.from).subtract({ days: 1 }).toString(),
  )
  const isOf = (line: { partnerId: number }) => line.partnerId === partnerId
  const cards = (await listAccountLines(database, { account: 'outstanding_cards', ...period })).filter(isOf)
  const owed = (await listAccountLines(database, { account: 'partner_receivable', ...period })).filter(isOf)
  const sumsOf = (kind: string, side: 'debit' | 'credit'): CardSum[] =>
    cards
      .filter((line) => line.kind === kind)
      .map((line) => ({
        day: line.belongsTo,
        amount: line[side],
        count: side === 'debit' ? line.debitCount : line.creditCount,
      }))
  const voidDays = cards.filter(({ kind }) => kind === 'void').map(({ belongsTo }) => belongsTo)
  const first = [period.from, ...voidDays].sort()[0]!
  const voids = await sumVoids(database, { partnerId, first, to: period.to, last, before })
  const voided = { books: total(sumsOf('void', 'debit')), cards: total(voids.byIssue) }
  if (voided.books !== voided.cards) return refused('books_differ', { figure: 'voided', ...voided })
  const balanceAt = async (day: ClosedDay | undefined) =>
    day
      ? ((await readClosedBalances(database, day.day)).find(
          (one) => one.account === 'partner_receivable' && isOf(one),
        )?.balance ?? 0n)
      : 0n
  return {
    kind: 'books' as const,
    issued: sumsOf('issue', 'credit'),
    used: sumsOf('redeem', 'debit'),
    voided: voids.byIssue,
    voidedOn: voids.byVoid,
    opening: await balanceAt(before),
    closing: await balanceAt(last),
    paidCards: paidBy(owed),
  }
}

const total = (sums: readonly CardSum[]) => sums.reduce((sum, { amount }) => sum + amount, 0n)

function paidBy(lines: readonly Line[]): bigint {
  return lines
    .filter(({ kind }) => kind === 'partner_payment' || kind === 'partner_payment_back')
    .reduce((sum, { credit, debit }) => sum + credit - debit, 0n)
}
