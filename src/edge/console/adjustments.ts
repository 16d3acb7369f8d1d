import type { HttpDeps } from '#edge/http/deps.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type { AdjustCommand, AdjustOutcome } from '#flows/holdings/adjust-holding.ts'
import type { ConsoleAccess } from './access.ts'
import { personOf, refusedBy } from './acting-person.ts'
import { actRefusals, reason, WaitingAnswer } from './object-parts.ts'

const MOST = 1_000_000_000

const SCHEMA = {
  operationId: 'requestAdjustment',
  summary: 'Ask to correct what a member holds',
  description: 'It waits for a second person. A holding never goes below zero.',
  tags: ['Members'],
  params: Type.Object({ memberId: uuid() }),
  body: object('Adjustment', {
    // Won only: the cost of metal follows from orders, and a correction has none (decisions/0071).
    asset: choice('AdjustableAsset', ['points', 'deposit']),
    amount: Type.Integer({ description: 'Won, signed; never 0.', minimum: -MOST, maximum: MOST }),
    reason,
  }),
  response: { 200: WaitingAnswer, ...actRefusals },
} as const

interface AdjustmentDeps extends Pick<HttpDeps, 'keyMode' | 'trustedProxies'> {
  requestAdjustment(command: AdjustCommand): Promise<AdjustOutcome>
}

// A correction makes value, so it takes a proof here and a second person after it.
export function registerAdjustments(scope: Server, deps: AdjustmentDeps, access: ConsoleAccess): void {
  const proven = access.mayWithProof('adjustments.request', 'operator')
  scope.post(
    '/members/:memberId/adjustments',
    { ...proven, schema: SCHEMA, ...jsonBody },
    async (request) => {
      const { asset, amount, reason: why } = request.body
      const outcome = await deps.requestAdjustment({
        ...personOf(deps, request),
        holderId: request.params.memberId,
        asset: asset === 'points' ? 'KRW_POINT' : 'KRW',
        amount: BigInt(amount),
        reason: why,
      })
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      return { waiting: true, requestId: outcome.request.id }
    },
  )
}
