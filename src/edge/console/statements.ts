import { Buffer } from 'node:buffer'
import { wonToJson } from '#base/money.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { PaymentOutcome, requestPayment } from '#flows/partners/book-payment.ts'
import type { StatementCommand } from '#flows/settlement/draft-statement.ts'
import { PRINT_POLICY, statementPage } from '#flows/settlement/print-statement.ts'
import { statementCsv, statementRows, statementXlsx } from '#flows/settlement/render-statement.ts'
import type { StatementActs } from '#flows/settlement/statement-acts.ts'
import { fromText, openOf, statusOf } from '#modules/settlement/rules.ts'
import type { Statement, StatementData } from '#modules/settlement/types.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { personOf, refusedBy } from './acting-person.ts'
import { maybeMoment, maybeText, moment, reason, textOf, won } from './object-parts.ts'
import { STAFF_BODY, STAFF_ONLY } from './refusal-lists.ts'

const day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-11-01'] })
const period = { from: day, to: Type.String({ ...day, description: 'The first day after the period.' }) }

const StatementLine = object('PartnerStatement', {
  number: Type.String(),
  partner: Type.String(),
  ...period,
  status: choice('StatementStatus', ['closed', 'sent', 'paid']),
  due: won,
  dueCommission: Type.Integer({ description: 'Won, VAT included.' }),
  paid: won,
  open: won,
  closedAt: moment,
  closedBy: Type.String(),
  sentAt: maybeMoment,
  sentBy: maybeText,
  sentWay: maybeText,
  hash: Type.String(),
})

const StatementRow = object('StatementRow', {
  section: Type.String(),
  item: Type.String(),
  detail: Type.String(),
  won: Type.Union([won, Type.Null()]),
  cards: Type.Union([Type.Integer(), Type.Null()]),
})

const DueLine = object('DueStatement', { partner: Type.String(), ...period })
const Shown = object('StatementPage', { statement: StatementLine, rows: Type.Array(StatementRow) })

const tags = ['Statements']
const params = Type.Object({ number: Type.String({ maxLength: 120 }) })
const SCHEMAS = {
  list: {
    operationId: 'statements',
    summary: "Partners' statements, and the periods that wait for one",
    tags,
    response: {
      200: object('PartnerStatements', { statements: Type.Array(StatementLine), due: Type.Array(DueLine) }),
      ...refusals(...STAFF_ONLY),
    },
  },
  draft: {
    operationId: 'draftStatement',
    summary: 'A statement as it would be closed now',
    tags,
    querystring: Type.Object({ partner: Type.String({ maxLength: 64 }), ...period }),
    response: {
      200: object('StatementDraft', { due: won, rows: Type.Array(StatementRow) }),
      ...refusals('not_found', 'conflict', ...STAFF_ONLY),
    },
  },
  close: {
    operationId: 'closeStatement',
    summary: 'Close a statement, for good',
    tags,
    body: object('ClosedPeriod', { partner: Type.String({ maxLength: 64 }), ...period }),
    response: { 200: StatementLine, ...refusals('not_found', 'conflict', 'proof_required', ...STAFF_BODY) },
  },
  show: {
    operationId: 'statement',
    summary: 'A closed statement, from its stored data',
    tags,
    params,
    response: { 200: Shown, ...refusals('not_found', ...STAFF_ONLY) },
  },
  send: {
    operationId: 'sendStatement',
    summary: 'Record that the partner was given it',
    tags,
    params,
    body: object('StatementSent', { way: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }) }),
    response: { 200: StatementLine, ...refusals('not_found', 'conflict', ...STAFF_BODY) },
  },
  pay: {
    operationId: 'requestStatementPayment',
    summary: 'Ask to book a payment of it, which a second person approves',
    tags,
    params,
    body: object('StatementPayment', {
      won: Type.Integer({ minimum: 1 }),
      reference: Type.String({ minLength: 1, maxLength: 100 }),
      prepay: Type.Boolean({ description: 'It may be more than is owed.' }),
      reason,
    }),
    response: {
      200: object('PaymentRequested', {
        waiting: Type.Boolean(),
        requestId: Type.Union([Type.String(), Type.Null()]),
      }),
      ...refusals('not_found', 'conflict', 'proof_required', ...STAFF_BODY),
    },
  },
  file: {
    operationId: 'statementFile',
    summary: 'A closed statement as a file, or as a page to print',
    description: 'Made of what was stored when it was closed: always the same bytes.',
    tags,
    params,
    querystring: Type.Object({ format: Type.Enum(['csv', 'xlsx', 'html'], { type: 'string' }) }),
    response: {
      200: {
        description: 'The file.',
        content: {
          'text/csv': { schema: Type.String() },
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { schema: Type.String() },
          'text/html': { schema: Type.String() },
        },
      },
      ...refusals('not_found', ...STAFF_ONLY),
    },
  },
} as const

interface StatementDeps extends Pick<HttpDeps, 'keyMode' | 'trustedProxies'> {
  statements: StatementActs
  requestPayment(command: Parameters<typeof requestPayment>[1]): Promise<PaymentOutcome>
}

export function registerStatements(scope: Server, deps: StatementDeps, access: ConsoleAccess): void {
  registerReads(scope, deps, access)
  registerActs(scope, deps, access)
}

function registerReads(scope: Server, deps: StatementDeps, access: ConsoleAccess): void {
  const seen = () => access.may('statements.read', 'own')
  // Of another partner, it is as if there were none.
  async function find(number: string, partnerId: number | null) {
    const statement = await deps.statements.find(number)
    if (!statement || (partnerId !== null && statement.partnerId !== partnerId))
      throw new ApiError('not_found')
    // From the stored text alone: a later rename or repair changes nothing that was billed (decisions/0079).
    return { statement, data: fromText(await deps.statements.readData(statement.id)) }
  }

  scope.get('/statements', { ...seen(), schema: SCHEMAS.list }, async (request) => {
    const { partnerId } = staffOf(request)
    const { statements, due } = await deps.statements.list(partnerId)
    return {
      statements: statements.map((one) => lineJson(one, partnerId === null)),
      due: due.map(({ partner, period: { from, to } }) => ({ partner, from, to })),
    }
  })

  scope.get('/statements/:number', { ...seen(), schema: SCHEMAS.show }, async (request) => {
    const { partnerId } = staffOf(request)
    const { statement, data } = await find(request.params.number, partnerId)
    return { statement: lineJson(statement, partnerId === null), rows: rowsJson(data) }
  })

  scope.get('/statements/:number/file', { ...seen(), schema: SCHEMAS.file }, async (request, reply) => {
    const { statement, data } = await find(request.params.number, staffOf(request).partnerId)
    const { format } = request.query
    if (format === 'html') {
      const page = statementPage(data, statement.hash.toString('hex'))
      // The policy of the scope allows no style, and a page to print has one.
      return reply
        .header('content-security-policy', PRINT_POLICY)
        .type('text/html; charset=utf-8')
        .send(Buffer.from(page) as never)
    }
    return reply
      .type(format === 'csv' ? 'text/csv; charset=utf-8' : XLSX)
      .header('content-disposition', `attachment; filename="${statement.number}.${format}"`)
      .send((format === 'csv' ? statementCsv(data) : await statementXlsx(data)) as never)
  })
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

function registerActs(scope: Server, deps: StatementDeps, access: ConsoleAccess): void {
  // Drafts are for those who may close them. A partner sees closed statements only.
  const may = access.may('statements.close', 'operator')
  scope.get('/statements/draft', { ...may, schema: SCHEMAS.draft }, async (request) => {
    const { partner, from, to } = request.query
    const outcome = await deps.statements.draft(commandOf(partner, from, to))
    if (outcome.kind === 'refused') throw refusedBy(outcome)
    return { due: wonToJson(outcome.data.due), rows: rowsJson(outcome.data) }
  })

  const proven = access.mayWithProof('statements.close', 'operator')
  scope.post('/statements', { ...proven, schema: SCHEMAS.close, ...jsonBody }, async (request) => {
    const { partner, from, to } = request.body
    const { actor } = staffOf(request)
    const outcome = await deps.statements.close({ ...commandOf(partner, from, to), actor })
    if (outcome.kind === 'refused') throw refusedBy(outcome)
    return lineJson(outcome.statement, true)
  })

  scope.post(
    '/statements/:number/send',
    { ...access.may('statements.close', 'operator'), schema: SCHEMAS.send, ...jsonBody },
    async (request) => {
      const { actor } = staffOf(request)
      const outcome = await deps.statements.send({ ...request.params, ...request.body, actor })
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      return lineJson(outcome.statement, true)
    },
  )

  scope.post(
    '/statements/:number/payments',
    { ...access.mayWithProof('payments.request', 'operator'), schema: SCHEMAS.pay, ...jsonBody },
    async (request) => {
      const { number } = request.params
      const statement = await deps.statements.find(number)
      if (!statement) throw new ApiError('not_found')
      const { won: amount, ...body } = request.body
      // A payment names what it pays. The rest of it is deposit (decisions/0079).
      const command = { ...body, code: statement.partner, won: BigInt(amount), statements: [number] }
      const outcome = await deps.requestPayment({ ...command, ...personOf(deps, request) })
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      const isWaiting = outcome.kind === 'waiting'
      return { waiting: isWaiting, requestId: isWaiting ? outcome.request.id : null }
    },
  )
}

// A date that is none, such as 2026-02-30, would not be found later: it is refused here.
function commandOf(code: string, from: string, to: string): StatementCommand {
  for (const [name, text] of Object.entries({ from, to })) {
    try {
      Temporal.PlainDate.from(text)
    } catch {
      throw new ApiError('invalid_request', [{ pointer: `#/${name}`, detail: 'must be a real date' }])
    }
  }
  return { code, period: { from, to } }
}

// Who of the operator acted is not told to a partner.
function lineJson(statement: Statement, isOperator: boolean) {
  const { number, partner, period: within, due, dueCommission, paid } = statement
  return {
    number,
    partner,
    ...within,
    status: statusOf(statement),
    due: wonToJson(due),
    dueCommission: wonToJson(dueCommission),
    paid: wonToJson(paid),
    open: wonToJson(openOf(statement)),
    closedAt: instantText(statement.closedAt),
    closedBy: isOperator ? statement.closedBy : '',
    sentAt: textOf(statement.sentAt),
    sentBy: isOperator ? statement.sentBy : null,
    sentWay: statement.sentWay,
    hash: statement.hash.toString('hex'),
  }
}

// The same rows as in the files.
function rowsJson(data: StatementData) {
  const number = (cell: string | number) => (typeof cell === 'number' ? cell : null)
  return statementRows(data).map(([section, item, detail, amount, count]) => ({
    section,
    item,
    detail,
    won: number(amount),
    cards: number(count),
  }))
}
