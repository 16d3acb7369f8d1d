import type { FastifyRequest } from 'fastify'
import { parseDate, seoulDate } from '#base/time/seoul-time.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { badField } from '#edge/http/errors.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type { ReadStatement, Statement } from '#flows/holdings/read-history.ts'
import type { Access } from './access.ts'
import { Movement, ORDER_LINES } from './history.ts'
import { SIGNED_IN } from './refusal-lists.ts'
import { grams, moment, signedWon, won } from './schema-parts.ts'
import { statementCsv } from './statement-csv.ts'
import { statementJson } from './statement-json.ts'

const StatementQuery = Type.Object({
  from: Type.String({ description: 'A Seoul day, YYYY-MM-DD.', format: 'date' }),
  to: Type.String({ description: 'Included; at most 366 days.', format: 'date' }),
  lang: Type.Optional(Type.Enum(['ko', 'en'], { type: 'string', description: 'Of the CSV.' })),
})

export const Balances = object('Balances', { points: won, deposit: won, gold: grams, silver: grams })

export const StatementAnswer = object(
  'Statement',
  {
    from: Type.String(),
    to: Type.String(),
    madeAt: moment,
    name: Type.String({ description: 'Masked.' }),
    opening: Balances,
    closing: Balances,
    movements: Type.Array(Movement, { description: 'Oldest first.' }),
    orders: Type.Array(object('StatementOrder', { orderId: uuid(), at: moment, ...ORDER_LINES }), {
      description: 'Oldest first: how the total of each came about.',
    }),
    sums: object(
      'StatementSums',
      { fee: won, spreadWon: won, gain: signedWon },
      { description: 'Of all orders of the period. `gain`: realised by sales.' },
    ),
  },
  { description: 'Holdings, movements and orders of the days asked for.' },
)

const CSV = {
  description: 'The statement, a line for each movement.',
  content: { 'text/csv': { schema: Type.String() } },
}

const ROUTES = {
  getStatement: {
    url: '/statement',
    schema: {
      operationId: 'getStatement',
      summary: 'A statement of some days',
      tags: ['Assets'],
      querystring: StatementQuery,
      response: { 200: StatementAnswer, ...refusals(...SIGNED_IN) },
    },
  },
  getStatementCsv: {
    url: '/statement.csv',
    schema: {
      operationId: 'getStatementCsv',
      summary: 'The same as a file',
      tags: ['Assets'],
      querystring: StatementQuery,
      response: { 200: CSV, ...refusals(...SIGNED_IN) },
    },
  },
} as const

interface Deps {
  readStatement: ReadStatement
}

// Page, file and issued statement are made of the same reading.
export function registerStatements(scope: Server, deps: Deps, access: Access): void {
  const { getStatement, getStatementCsv } = ROUTES
  scope.get(getStatement.url, { schema: getStatement.schema }, async (request) => {
    const { holderId, maskedName } = await access.visitor(request)
    const { from, to } = request.query
    const statement = await readStatement(deps, request, holderId, { from, to })
    return { from, to, name: maskedName, ...statementJson(statement) }
  })

  scope.get(getStatementCsv.url, { schema: getStatementCsv.schema }, async (request, reply) => {
    const { holderId } = await access.visitor(request)
    const { from, to, lang } = request.query
    const statement = await readStatement(deps, request, holderId, { from, to })
    // Both days match the schema's date, so the name cannot break out of the header.
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="ingot-${from}-${to}.csv"`)
      .send(statementCsv(statement, lang ?? 'ko') as never)
  })
}

// A whole leap year.
const MAX_DAYS = 366

// Shared with issued statements, which allow fewer movements.
export async function readStatement(
  deps: Deps,
  request: FastifyRequest,
  holderId: string,
  period: { from: string; to: string; limit?: number },
): Promise<Statement> {
  const from = parseDate(period.from)
  const to = parseDate(period.to)
  if (!from || !to || Temporal.PlainDate.compare(from, to) > 0) {
    throw badField(request, 'from', 'must be a real date, not after `to`')
  }
  if (from.until(to).days >= MAX_DAYS) throw badField(request, 'to', `must be within ${MAX_DAYS} days`)
  const statement = await deps.readStatement(holderId, { ...period, from, to })
  // Refused rather than cut: a statement that leaves something out must not look whole.
  if (statement === 'too_long') throw badField(request, 'from', 'must be later: there are too many movements')
  // Checked last: the statement brings the time of the service, so no other query is needed.
  if (Temporal.PlainDate.compare(from, seoulDate(statement.madeAt)) > 0) {
    throw badField(request, 'from', 'must not be in the future')
  }
  return statement
}
