import { parseDate } from '#base/time/seoul-time.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { ApiError } from '#edge/http/errors.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { StatementActs } from '#flows/settlement/statement-acts.ts'
import type { ConsoleAccess } from './access.ts'
import { personOf, refusedBy } from './acting-person.ts'
import { actRefusals, reason, WaitingAnswer } from './object-parts.ts'
import { CommissionRate } from './partner-schemas.ts'

const text = Type.Optional(Type.String({ maxLength: 300 }))

const SCHEMA = {
  tags: ['Partners'],
  operationId: 'setBilling',
  summary: "Set a partner's company details, or ask for another commission",
  description: 'Company details hold at once. A commission waits for a second person.',
  params: Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) }),
  body: object('PartnerBilling', {
    legal: Type.Optional(
      object('PartnerLegalChange', {
        legalName: text,
        businessNumber: text,
        representative: text,
        address: text,
      }),
    ),
    rate: Type.Optional(CommissionRate),
    reason,
  }),
  response: { 200: WaitingAnswer, ...actRefusals },
} as const

interface BillingDeps extends Pick<HttpDeps, 'keyMode' | 'trustedProxies'> {
  statements: Pick<StatementActs, 'setBilling'>
}

// No figure depends on company details, so one person sets them. A commission moves value (decisions/0083).
export function registerBilling(scope: Server, deps: BillingDeps, access: ConsoleAccess): void {
  const proven = access.mayWithProof('partners.change', 'operator')
  scope.post('/partners/:code/billing', { ...proven, schema: SCHEMA, ...jsonBody }, async (request) => {
    const { legal = {}, rate, reason: why } = request.body
    if (rate && !parseDate(rate.effectiveFrom))
      throw new ApiError('invalid_request', [
        { pointer: '#/rate/effectiveFrom', detail: 'must be a real date' },
      ])
    const { code } = request.params
    const outcome = await deps.statements.setBilling({
      ...personOf(deps, request),
      code,
      legal,
      rate,
      reason: why,
    })
    if (outcome.kind === 'refused') throw refusedBy(outcome)
    return { waiting: outcome.waiting !== undefined, requestId: outcome.waiting?.id ?? null }
  })
}
