import { assert } from '#base/assert.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import type { Server } from '#edge/http/types.ts'
import type { Statements } from '#flows/holdings/issue-statement.ts'
import type { ReadStatement } from '#flows/holdings/read-history.ts'
import type { Languages, Operator } from '#modules/operator/types.ts'
import type { IssuedStatement } from '#modules/statements/types.ts'
import { type MemberAccess, requireFresh, tooMany } from './access.ts'
import { readStatement } from './assets.ts'
import { statementJson } from './statement-json.ts'
import { STATEMENT_ROUTES } from './statement-routes.ts'

const MOST_MOVEMENTS = 2_000 // some fifty sheets of paper
const DAY_SECONDS = 86_400

type Issuer = Record<
  'ko' | 'en',
  { name: string; businessNumber: string | null; address: string | null; contact: string }
>

// What is kept of a statement, to the letter.
type Figures = ReturnType<typeof statementJson> & { from: string; to: string; issuer: Issuer }

interface Deps extends Pick<HttpDeps, 'contact'> {
  operator: { details: Languages<Operator> }
  statements: Statements
  readStatement: ReadStatement
}

export function registerIssuedStatements(scope: Server, deps: Deps, access: MemberAccess): void {
  const { issueStatement, getIssuedStatement, checkStatement } = STATEMENT_ROUTES
  scope.post(issueStatement.url, { schema: issueStatement.schema, ...jsonBody }, async (request) => {
    const visitor = await access.visitor(request)
    const { requestId, from, to, fullName } = request.body
    if (fullName) requireFresh(visitor)
    const { holderId, accountId, name, maskedName } = visitor
    assert(accountId !== null, "the member's scope has sessions of accounts only")
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
    if (outcome.reason === 'too_many') throw new ApiError('too_many_requests', [], DAY_SECONDS)
    throw new ApiError('conflict')
  })

  scope.get(getIssuedStatement.url, { schema: getIssuedStatement.schema }, async (request) => {
    const visitor = await access.visitor(request)
    const found = await deps.statements.find(visitor.holderId, request.params.number)
    if (!found) throw new ApiError('not_found')
    if (found.isFullName) requireFresh(visitor)
    return issuedJson(found)
  })

  // Number and code are in the body, so that they are in no log.
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
      name: statement.maskedName,
      closing,
    }
  })
}

function issuedJson({ number, code, issuedAt, isFullName, name, figures }: IssuedStatement) {
  return { number, code, issuedAt: instantText(issuedAt), isFullName, name, ...(figures as Figures) }
}

function issuerOf({ contact, operator: { details } }: Deps): Issuer {
  const of = ({ name, businessNumber, address }: Operator) => ({ name, businessNumber, address, contact })
  return { ko: of(details.ko), en: of(details.en) }
}
