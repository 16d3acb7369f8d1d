import { assert } from '#base/assert.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type { Statements } from '#flows/holdings/issue-statement.ts'
import type { ReadStatement } from '#flows/holdings/read-history.ts'
import type { Languages, Operator } from '#modules/operator/types.ts'
import type { IssuedStatement } from '#modules/statements/types.ts'
import { type MemberAccess, requireFresh, tooMany } from './access.ts'
import { OPEN_BODY, SIGNED_IN } from './refusal-lists.ts'
import { moment } from './schema-parts.ts'
import { statementJson } from './statement-json.ts'
import { Balances, readStatement, StatementAnswer } from './statements.ts'

const IssueBody = object('StatementRequest', {
  requestId: uuid({ description: 'Yours: the same again is the same statement.' }),
  from: Type.String({ description: 'A Seoul day, YYYY-MM-DD.', format: 'date' }),
  to: Type.String({ description: 'Included; at most 366 days.', format: 'date' }),
  fullName: Type.Boolean({ description: 'Print the whole name instead of the masked one.' }),
})

const number = Type.String({
  description: 'Twelve digits.',
  pattern: '^[0-9]{12}$',
  examples: ['123456789012'],
})

const IssuedParams = Type.Object({ number })

const nullable = Type.Union([Type.String(), Type.Null()])

const IssuerIn = object('IssuerDetails', {
  name: Type.String(),
  businessNumber: nullable,
  address: nullable,
  contact: Type.String(),
})

const IssuerAnswer = object(
  'Issuer',
  { ko: IssuerIn, en: IssuerIn },
  { description: 'Who ran the service then.' },
)

const IssuedAnswer = object(
  'IssuedStatement',
  {
    number,
    code: Type.String({ description: 'The check code: 20 characters.', pattern: '^[0-9A-Z]{20}$' }),
    issuedAt: moment,
    isFullName: Type.Boolean(),
    ...StatementAnswer.properties,
    name: Type.String({ description: 'As printed: whole or masked.' }),
    issuer: IssuerAnswer,
  },
  { description: 'The statement as it was issued.' },
)

const CheckBody = object('StatementCheck', {
  number: Type.String({ description: 'Blanks and hyphens are ignored.', minLength: 1, maxLength: 40 }),
  code: Type.String({ description: 'Blanks and hyphens are ignored.', minLength: 1, maxLength: 60 }),
})

const CheckAnswer = object(
  'CheckedStatement',
  {
    number,
    issuedAt: moment,
    from: Type.String(),
    to: Type.String(),
    name: Type.String({ description: 'Masked.' }),
    closing: Balances,
  },
  { description: 'What was issued under this number.' },
)

const ROUTES = {
  issueStatement: {
    url: '/statements',
    schema: {
      operationId: 'issueStatement',
      summary: 'Issue a statement with a number and a check code',
      description:
        'What it says is frozen: later movements do not change it. With `fullName` identity has to be verified in this ' +
        'session, ten minutes ago at most. The same `requestId` again is the same statement.',
      tags: ['Assets'],
      body: IssueBody,
      response: {
        200: IssuedAnswer,
        ...refusals('conflict', 'unauthorized', 'too_many_requests', 'step_up_required', ...OPEN_BODY),
      },
    },
  },
  getIssuedStatement: {
    url: '/statements/:number',
    schema: {
      operationId: 'getIssuedStatement',
      summary: 'A statement that was issued, as it was',
      description: 'One with the full name needs an identity that was verified ten minutes ago at most.',
      tags: ['Assets'],
      params: IssuedParams,
      response: { 200: IssuedAnswer, ...refusals('not_found', 'step_up_required', ...SIGNED_IN) },
    },
  },
  checkStatement: {
    url: '/statements/check',
    schema: {
      operationId: 'checkStatement',
      summary: 'Check a printed statement by its number and check code',
      description: 'Needs no session. A wrong code is answered like a number that was never issued.',
      tags: ['Assets'],
      body: CheckBody,
      response: { 200: CheckAnswer, ...refusals('not_found', 'too_many_requests', ...OPEN_BODY) },
    },
  },
} as const

const MOST_MOVEMENTS = 2_000 // some fifty sheets of paper

const DAY_SECONDS = 86_400

type Issuer = Record<
  'ko' | 'en',
  { name: string; businessNumber: string | null; address: string | null; contact: string }
>

// What is kept of a statement, exactly as printed.
type Figures = ReturnType<typeof statementJson> & { from: string; to: string; issuer: Issuer }

interface Deps extends Pick<HttpDeps, 'contact'> {
  operator: { details: Languages<Operator> }
  statements: Statements
  readStatement: ReadStatement
}

// Issuing needs the member's own pages: a web view's names come from a partner.
export function registerIssuedStatements(scope: Server, deps: Deps, access: MemberAccess): void {
  const { issueStatement, getIssuedStatement, checkStatement } = ROUTES
  scope.post(issueStatement.url, { schema: issueStatement.schema, ...jsonBody }, async (request) => {
    const visitor = await access.visitor(request)
    const { requestId, from, to, fullName } = request.body
    // Only a member who has just proven to be this person gets a paper with the full name.
    if (fullName) requireFresh(visitor)
    const { holderId, accountId, name, maskedName } = visitor
    assert(accountId !== null, "the member's scope has sessions of accounts only")
    // The figures are read now and kept as they are. A correction tomorrow must not change a paper that a
    // bank already has.
    const period = { from, to, limit: MOST_MOVEMENTS }
    const figures: Figures = {
      from,
      to,
      ...statementJson(await readStatement(deps, request, holderId, period)),
      issuer: issuerOf(deps),
    }
    const outcome = await deps.statements.issue({
      holderId,
      accountId,
      requestId,
      name,
      maskedName,
      isFullName: fullName,
      figures,
    })
    if (outcome.kind !== 'refused') return issuedJson(outcome.statement)
    // Each is a sealed document for five years, so a day has a limit.
    if (outcome.reason === 'too_many') throw new ApiError('too_many_requests', [], DAY_SECONDS)
    throw new ApiError('conflict')
  })

  scope.get(getIssuedStatement.url, { schema: getIssuedStatement.schema }, async (request) => {
    const visitor = await access.visitor(request)
    const found = await deps.statements.find(visitor.holderId, request.params.number)
    if (!found) throw new ApiError('not_found')
    // It shows the full name, so it needs the same proof as when it was issued.
    if (found.isFullName) requireFresh(visitor)
    return issuedJson(found)
  })

  // Number and code are in the body, so that no log has them.
  scope.post(checkStatement.url, { schema: checkStatement.schema, ...jsonBody }, async (request) => {
    const { number, code } = request.body
    const outcome = await deps.statements.check({ number, code, address: access.address(request) })
    if (outcome.kind === 'limited') throw tooMany(outcome)
    if (outcome.kind === 'unknown') throw new ApiError('not_found')
    const { statement } = outcome
    const { from, to, closing } = statement.figures as Figures
    return {
      number: statement.number,
      issuedAt: instantText(statement.issuedAt),
      from,
      to,
      // Anybody who holds the paper can check it, so the answer reveals no name.
      name: statement.maskedName,
      closing,
    }
  })
}

// As it was sealed. Nothing is computed again.
function issuedJson({ number, code, issuedAt, isFullName, name, figures }: IssuedStatement) {
  return { number, code, issuedAt: instantText(issuedAt), isFullName, name, ...(figures as Figures) }
}

// Kept with the figures, because the operator's details may change later.
function issuerOf({ contact, operator: { details } }: Deps): Issuer {
  const of = ({ name, businessNumber, address }: Operator) => ({ name, businessNumber, address, contact })
  return { ko: of(details.ko), en: of(details.en) }
}
