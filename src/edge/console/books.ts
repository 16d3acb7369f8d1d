import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import type { Server } from '#edge/http/types.ts'
import type { DayRow, RowFilter, RowsRefusal } from '#flows/books/list-rows.ts'
import type { AccountAt, AccountQuestion, AccountRefusal } from '#flows/books/read-account.ts'
import type { DescribedDay, NotClosed } from '#flows/books/read-day.ts'
import type { TrialAccount, TrialBalance, TrialRefusal } from '#flows/books/read-trial-balance.ts'
import type { ClosedDay } from '#modules/closed-days/types.ts'
import type { ConsoleAccess } from './access.ts'
import { refusedBy } from './acting-person.ts'
import {
  AccountAnswer,
  AccountQuery,
  amountText,
  DayAnswer,
  DaysAnswer,
  DaysQuery,
  dayParams,
  RowsAnswer,
  RowsQuery,
  TrialAnswer,
  TrialQuery,
  unitOf,
} from './book-schemas.ts'
import { STAFF_ONLY } from './refusal-lists.ts'

const DAYS_SHOWN = 62
const ROWS_SHOWN = 100

const tags = ['Books']
const response = <Answer>(answer: Answer) => ({
  200: answer,
  ...refusals('not_found', 'conflict', ...STAFF_ONLY),
})
const SCHEMAS = {
  trial: {
    operationId: 'trialBalance',
    summary: 'Every account with its balance, now or at a moment',
    tags,
    querystring: TrialQuery,
    response: response(TrialAnswer),
  },
  account: {
    operationId: 'accountStatement',
    summary: 'An account from a day to a moment: opening, movements by day and kind, balance',
    tags,
    querystring: AccountQuery,
    response: response(AccountAnswer),
  },
  days: {
    operationId: 'closedDays',
    summary: 'The closed days, newest first',
    tags,
    querystring: DaysQuery,
    response: response(DaysAnswer),
  },
  day: {
    operationId: 'closedDay',
    summary: 'A closed day: cards by partner, every account, corrections of earlier days',
    tags,
    params: dayParams,
    response: response(DayAnswer),
  },
  rows: {
    operationId: 'bookRows',
    summary: 'The transfers behind a figure, of a closed day or since the last one',
    tags,
    querystring: RowsQuery,
    response: response(RowsAnswer),
  },
} as const

type Rows = { kind: 'rows'; rows: DayRow[]; next: bigint | null }

interface BookDeps {
  readTrialBalance(at?: Temporal.Instant): Promise<TrialBalance | TrialRefusal>
  readAccountAt(question: AccountQuestion): Promise<AccountAt | AccountRefusal>
  listClosedDays(page: { until?: string; limit: number }): Promise<ClosedDay[]>
  readClosedDay(day: string): Promise<DescribedDay | NotClosed>
  listDayRows(day: string, filter: RowFilter, limit: number): Promise<Rows | RowsRefusal>
  listRowsUntil(at: Temporal.Instant, filter: RowFilter, limit: number): Promise<Rows | RowsRefusal>
}

// Every figure can be followed to its transfers, hence the rows beside each reading.
export function registerBooks(scope: Server, deps: BookDeps, access: ConsoleAccess): void {
  const may = access.may('books.read', 'operator')

  scope.get('/books/trial-balance', { ...may, schema: SCHEMAS.trial }, async (request) => {
    const found = await deps.readTrialBalance(momentOf(request.query.at))
    if (found.kind === 'refused') throw refusedBy(found)
    return trialJson(found)
  })

  scope.get('/books/account', { ...may, schema: SCHEMAS.account }, async (request) => {
    const { at, from, ...which } = request.query
    const question = { ...which, from: from && dayOf(from), at: momentOf(at) }
    const found = await deps.readAccountAt(question)
    if (found.kind === 'refused') throw refusedBy(found)
    return accountJson(which.asset, found)
  })

  scope.get('/books/days', { ...may, schema: SCHEMAS.days }, async (request) => {
    const { until } = request.query
    // One more than is shown tells whether there is a next page, and where it begins.
    const limit = DAYS_SHOWN + 1
    const page = until === undefined ? { limit } : { until: dayOf(until), limit }
    const days = await deps.listClosedDays(page)
    return { days: days.slice(0, DAYS_SHOWN).map(dayJson), next: days[DAYS_SHOWN]?.day ?? null }
  })

  scope.get('/books/days/:day', { ...may, schema: SCHEMAS.day }, async (request) => {
    const found = await deps.readClosedDay(dayOf(request.params.day))
    if (found.kind === 'refused') throw refusedBy(found)
    return describedJson(found)
  })

  scope.get('/books/rows', { ...may, schema: SCHEMAS.rows }, async (request) => {
    const { day, at, after, ...filter } = request.query
    const moment = momentOf(at)
    // Exactly one of the two: a closed day, or a moment after the last closed day.
    if ((day === undefined) === (moment === undefined))
      throw new ApiError('invalid_request', [{ parameter: 'day', detail: 'name a day or a moment' }])
    const belongsTo = filter.belongsTo && dayOf(filter.belongsTo)
    const asked = { ...filter, belongsTo, after: after === undefined ? undefined : BigInt(after) }
    const found =
      day === undefined
        ? await deps.listRowsUntil(moment!, asked, ROWS_SHOWN)
        : await deps.listDayRows(dayOf(day), asked, ROWS_SHOWN)
    if (found.kind === 'refused') throw refusedBy(found)
    return { rows: found.rows.map(rowJson), next: found.next?.toString() ?? null }
  })
}

// A date that is none, such as 2026-02-30, passes the pattern.
function dayOf(text: string): string {
  try {
    return Temporal.PlainDate.from(text).toString()
  } catch {
    throw new ApiError('invalid_request', [{ parameter: 'day', detail: 'must be a real date' }])
  }
}

// Without its offset a time could mean two moments, so it is refused.
function momentOf(text: string | undefined): Temporal.Instant | undefined {
  try {
    return text === undefined ? undefined : Temporal.Instant.from(text)
  } catch {
    throw new ApiError('invalid_request', [{ parameter: 'at', detail: 'must be a moment with its offset' }])
  }
}

function trialJson({ at, position, from, accounts }: TrialBalance) {
  const sum = (of: readonly TrialAccount[], side: 'debit' | 'credit') =>
    of.reduce((total, one) => total + one[side], 0n)
  return {
    at: instantText(at),
    position: position.toString(),
    from,
    assets: [...Map.groupBy(accounts, ({ asset }) => asset)].map(([asset, of]) => ({
      asset,
      unit: unitOf(asset),
      debit: amountText(asset, sum(of, 'debit')),
      credit: amountText(asset, sum(of, 'credit')),
      // Every transfer has two sides, so the sums are even unless the books are broken.
      isEven: sum(of, 'debit') === sum(of, 'credit'),
      accounts: of.map(({ account, partner, debit, credit }) => ({
        account,
        partner,
        debit: amountText(asset, debit),
        credit: amountText(asset, credit),
      })),
    })),
  }
}

function accountJson(asset: string, { at, from, closedUntil, opening, closing, lines }: AccountAt) {
  return {
    at: instantText(at),
    from,
    closedUntil,
    unit: unitOf(asset),
    opening: amountText(asset, opening),
    closing: amountText(asset, closing),
    lines: lines.map((line) => ({
      day: line.day,
      belongsTo: line.belongsTo,
      // Days after it can still change.
      isClosed: closedUntil !== null && line.day <= closedUntil,
      kind: line.kind,
      debit: amountText(asset, line.debit),
      credit: amountText(asset, line.credit),
      transfers: Number(line.debitCount > line.creditCount ? line.debitCount : line.creditCount),
    })),
  }
}

function dayJson({ day, throughId, movements, corrections, closedAt, closedBy, hash }: ClosedDay) {
  return {
    day,
    throughId: throughId.toString(),
    movements: Number(movements),
    corrections: Number(corrections),
    closedAt: instantText(closedAt),
    closedBy,
    hash: hash.toString('hex'),
  }
}

function describedJson({ day, cards, accounts, lines }: DescribedDay) {
  const amounts = <Key extends string>(asset: string, parts: Record<Key, bigint>, keys: readonly Key[]) =>
    Object.fromEntries(keys.map((key) => [key, amountText(asset, parts[key])])) as Record<Key, string>
  const PARTS = ['opening', 'issued', 'used', 'voided', 'refunded', 'expired', 'other', 'closing'] as const
  return {
    ...dayJson(day),
    cards: cards.map((one) => ({ partner: one.partner, ...amounts('KRW', one, PARTS) })),
    accounts: accounts.map(({ account, asset, partner, ...parts }) => ({
      account,
      asset,
      partner,
      ...amounts(asset, parts, ['opening', 'debit', 'credit', 'closing']),
    })),
    lines: lines.map((line) => ({
      account: line.account,
      asset: line.asset,
      partner: line.partner,
      kind: line.kind,
      belongsTo: line.belongsTo,
      ...amounts(line.asset, line, ['debit', 'credit']),
    })),
  }
}

function rowJson(row: DayRow) {
  return {
    id: row.id.toString(),
    at: instantText(row.at),
    belongsTo: row.belongsTo,
    kind: row.kind,
    asset: row.asset,
    unit: unitOf(row.asset),
    amount: amountText(row.asset, row.amount),
    debit: row.debit,
    credit: row.credit,
    act: row.groupId,
    cardId: row.cardId,
  }
}
