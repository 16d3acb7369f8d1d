import type { FastifyRequest } from 'fastify'
import type { HttpDeps } from '#edge/http/deps.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { EditableTradingTerms, PriceRefusal, TermsOutcome } from '#flows/trading/change-trading.ts'
import type { Person } from '#modules/approvals/types.ts'
import type { Metal } from '#modules/pricing/types.ts'
import type { ConsoleAccess } from './access.ts'
import { personOf, refusedBy } from './acting-person.ts'
import { reason, WaitingAnswer } from './object-parts.ts'
import { STAFF_BODY } from './refusal-lists.ts'

const params = Type.Object({ metal: choice('TradedMetal', ['XAU', 'XAG']) })

const TermsBody = object('TermsChange', {
  spreadBps: Type.Optional(Type.Integer({ minimum: 0, maximum: 5_000 })),
  feeBps: Type.Optional(Type.Integer({ minimum: 0, maximum: 5_000 })),
  maxAgeSeconds: Type.Optional(Type.Integer({ minimum: 30, maximum: 86_400 })),
  reason,
})

const PriceBody = object('PriceWish', {
  wonPerGram: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
  force: Type.Optional(
    Type.Boolean({ description: 'It is far from the last price, and right all the same.' }),
  ),
  reason,
})

const tags = ['Prices']
const answers = { 200: WaitingAnswer, ...refusals('conflict', 'proof_required', ...STAFF_BODY) }
const SCHEMAS = {
  terms: {
    operationId: 'changeTerms',
    summary: 'Change spread, fee or the age of a price',
    description: 'Takes `prices.change`. Terms in the favour of buyers wait for a second person.',
    tags,
    params,
    body: TermsBody,
    response: answers,
  },
  price: {
    operationId: 'requestPrice',
    summary: 'Ask for a price by hand',
    description: 'Takes `prices.change`. It waits for a second person.',
    tags,
    params,
    body: PriceBody,
    response: answers,
  },
  stop: {
    operationId: 'stopTrading',
    summary: 'Stop all trading',
    description: 'Takes `prices.change`, and no fresh proof: a wrong price gives metal away by the minute.',
    tags,
    body: object('TradingStop', { reason }),
    response: answers,
  },
  resume: {
    operationId: 'resumeTrading',
    summary: 'Let trading go on',
    description: 'Takes `prices.change`.',
    tags,
    body: object('TradingResume', { reason }),
    response: answers,
  },
} as const

type Who = Person & { reason: string }
type PriceOutcome = { kind: 'waiting'; request: { id: string } } | PriceRefusal

interface ActDeps extends Pick<HttpDeps, 'keyMode' | 'trustedProxies'> {
  changeTerms(command: Who & { metal: Metal; changes: Partial<EditableTradingTerms> }): Promise<TermsOutcome>
  requestPrice(command: Who & { metal: Metal; wonPerGram: bigint; force: boolean }): Promise<PriceOutcome>
  stopOrResumeTrading(command: Who & { stopped: boolean }): Promise<void>
}

const DONE = { waiting: false, requestId: null }

// Stopping has to be quick. What can give metal away takes a proof, and most of it a second person.
export function registerPriceActs(scope: Server, deps: ActDeps, access: ConsoleAccess): void {
  const proven = access.mayWithProof('prices.change', 'operator')
  const may = access.may('prices.change', 'operator')

  scope.post('/prices/:metal/terms', { ...proven, schema: SCHEMAS.terms, ...jsonBody }, async (request) => {
    const { reason, ...changes } = request.body
    if (Object.keys(changes).length === 0)
      throw new ApiError('invalid_request', [{ pointer: '#', detail: 'must change something' }])
    const { metal } = request.params
    const outcome = await deps.changeTerms({ ...personOf(deps, request), metal, changes, reason })
    if (outcome.kind === 'refused') throw refusedBy(outcome)
    return outcome.kind === 'done' ? DONE : { waiting: true, requestId: outcome.request.id }
  })

  scope.post('/prices/:metal/price', { ...proven, schema: SCHEMAS.price, ...jsonBody }, async (request) => {
    const { wonPerGram, force = false, reason } = request.body
    const wish = { metal: request.params.metal, wonPerGram: BigInt(wonPerGram), force, reason }
    const outcome = await deps.requestPrice({ ...personOf(deps, request), ...wish })
    if (outcome.kind === 'refused') throw refusedBy(outcome)
    return { waiting: true, requestId: outcome.request.id }
  })

  async function stopOrResume(stopped: boolean, request: FastifyRequest, reason: string) {
    await deps.stopOrResumeTrading({ ...personOf(deps, request), stopped, reason })
    return DONE
  }
  scope.post('/trading/stop', { ...may, schema: SCHEMAS.stop, ...jsonBody }, (request) =>
    stopOrResume(true, request, request.body.reason),
  )
  // Unlike a stop this lets metal out again, so it takes a proof.
  scope.post('/trading/resume', { ...proven, schema: SCHEMAS.resume, ...jsonBody }, (request) =>
    stopOrResume(false, request, request.body.reason),
  )
}
