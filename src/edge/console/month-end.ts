import { wonToJson } from '#base/money.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { closeMonth } from '#flows/books/month/close-month.ts'
import type { MonthEnd } from '#flows/books/month/read-month.ts'
import type { ClosedMonth, MonthData, MonthItem } from '#modules/closed-months/types.ts'
import { MONTH_ITEMS } from '#modules/closed-months/types.ts'
import { gramsText } from '#modules/pricing/rules.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { refusedBy } from './acting-person.ts'
import { maybeMoment, maybeText, moment, textOf, won } from './object-parts.ts'
import { STAFF_BODY, STAFF_ONLY } from './refusal-lists.ts'

const month = Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', examples: ['2026-11'] })
const count = Type.Integer()
const kind = choice('MonthItemKind', MONTH_ITEMS)
const maybeWon = Type.Union([won, Type.Null()])

const Item = object('MonthItem', {
  kind,
  state: choice('MonthItemState', ['done', 'warns', 'blocks']),
  count,
  won: maybeWon,
  names: Type.Array(Type.String(), {
    description: 'Days, partners, statements or metals: the first of them.',
  }),
})

const Closed = object('ClosedMonth', {
  month,
  days: count,
  statements: Type.Array(Type.String()),
  warnings: Type.Array(object('MonthWarning', { kind, count })),
  throughId: Type.String({ description: 'The last transfer that it covers.' }),
  closedAt: moment,
  closedBy: Type.String(),
  hash: Type.String(),
})

const Difference = object('DayDifference', {
  row: choice('DifferenceRow', ['transfer', 'card', 'account']),
  id: Type.String(),
  day: maybeText,
  byTransfers: Type.String(),
  byRow: Type.String(),
})

const Answer = object(
  'MonthEnd',
  {
    at: moment,
    month,
    from: Type.String(),
    to: Type.String({ description: 'The first day after it.' }),
    today: Type.String(),
    place: choice('MonthPlace', ['closed', 'not_over', 'before_first', 'out_of_order', 'next']),
    firstMonth: maybeText,
    next: Type.String({ description: 'The month that can be closed next.' }),
    closed: Type.Union([Closed, Type.Null()]),
    months: Type.Array(Closed, { description: 'Closed months, newest first.' }),
    items: Type.Array(Item, { description: 'In the order in which they are done.' }),
    attemptedAt: maybeMoment,
    differences: Type.Array(Difference, { description: 'Why a day of it was not closed when last tried.' }),
    gaps: Type.Array(object('MetalGap', { metal: Type.String(), grams: Type.String(), won: maybeWon })),
    verifiedAt: maybeMoment,
  },
  { description: 'What is open before a month can be closed.' },
)

const tags = ['Books']
const SCHEMAS = {
  read: {
    operationId: 'monthEnd',
    summary: 'What is open before a month can be closed',
    description: 'Without a month: the next one to be closed.',
    tags,
    querystring: Type.Object({ month: Type.Optional(month) }),
    response: { 200: Answer, ...refusals(...STAFF_ONLY) },
  },
  close: {
    operationId: 'closeMonth',
    summary: 'Close a month, for good',
    description: 'In order, and only if nothing blocks it.',
    tags,
    body: object('MonthToClose', { month }),
    response: { 200: Closed, ...refusals('conflict', 'proof_required', ...STAFF_BODY) },
  },
} as const

interface MonthEndDeps {
  readMonthEnd(month?: string): Promise<MonthEnd>
  closeMonth(command: Parameters<typeof closeMonth>[1]): ReturnType<typeof closeMonth>
}

export function registerMonthEnd(scope: Server, deps: MonthEndDeps, access: ConsoleAccess): void {
  const may = access.may('books.read', 'operator')
  scope.get('/month-end', { ...may, schema: SCHEMAS.read }, async (request) =>
    endJson(await deps.readMonthEnd(request.query.month)),
  )
  // One person closes it: nothing is paid or credited by that (decisions/0080).
  const proven = access.mayWithProof('books.close', 'operator')
  scope.post('/month-end', { ...proven, schema: SCHEMAS.close, ...jsonBody }, async (request) => {
    const { actor } = staffOf(request)
    const outcome = await deps.closeMonth({ month: request.body.month, actor })
    if (outcome.kind === 'refused') throw refusedBy(outcome)
    return closedJson(outcome.closed)
  })
}

const itemJson = ({ won: amount, ...item }: MonthItem) => ({
  ...item,
  won: amount === null ? null : wonToJson(amount),
})

function closedJson({ month: name, throughId, data, closedAt, closedBy, hash }: ClosedMonth) {
  // A closed month is frozen text. It is read back and never computed again.
  const { days, statements, warnings } = JSON.parse(data) as MonthData
  return {
    month: name,
    days: days.length,
    statements: statements.map(({ number }) => number),
    // What finance knew when it closed the month (decisions/0080).
    warnings,
    throughId: throughId.toString(),
    closedAt: instantText(closedAt),
    closedBy,
    hash: hash.toString('hex'),
  }
}

function endJson(end: MonthEnd) {
  const { period, closed, months, items, attempt, reading } = end
  const { openDay, differences } = attempt ?? { openDay: null, differences: [] }
  // Those of an earlier month keep this one open too.
  const isOf =
    openDay !== null &&
    openDay < period.to &&
    items.some(({ kind: of, state }) => of === 'days_closed' && state === 'blocks')
  return {
    at: instantText(end.at),
    month: end.month,
    ...period,
    today: end.today,
    place: end.place,
    firstMonth: end.firstMonth,
    next: end.next,
    closed: closed ? closedJson(closed) : null,
    months: months.map(closedJson),
    items: items.map(itemJson),
    attemptedAt: textOf(attempt?.at),
    differences: isOf ? differences : [],
    gaps: reading.gaps.map(({ metal, units, won: amount }) => ({
      metal,
      grams: gramsText(units),
      won: amount === null ? null : wonToJson(amount),
    })),
    verifiedAt: textOf(reading.verifiedAt),
  }
}
