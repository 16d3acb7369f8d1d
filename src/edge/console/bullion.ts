import { wonToJson } from '#base/money.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { Hedge, requestBullion } from '#flows/books/trade-bullion.ts'
import type { ChangeRequest } from '#modules/approvals/types.ts'
import { BULLION_SIDES, type BullionTrade } from '#modules/bullion/types.ts'
import { parseGrams } from '#modules/pricing/rules.ts'
import type { ConsoleAccess } from './access.ts'
import { personOf, refusedBy } from './acting-person.ts'
import { amountText } from './book-schemas.ts'
import { actRefusals, moment, reason, WaitingAnswer, won } from './object-parts.ts'
import { STAFF_ONLY } from './refusal-lists.ts'

const side = choice('BullionSide', BULLION_SIDES)
const metal = choice('BullionMetal', ['XAU', 'XAG'])
const grams = Type.String({ description: 'Grams with four places.', examples: ['1000.0000', '-1.2345'] })
const maybeWon = Type.Union([won, Type.Null()])

const Answer = object(
  'Bullion',
  {
    at: moment,
    hedges: Type.Array(
      object('HedgeGap', {
        metal,
        members: grams,
        house: grams,
        gap: Type.String({ description: 'Grams. Above zero: the house holds too little.' }),
        wonPerGram: maybeWon,
        priceAgeSeconds: Type.Union([Type.Integer(), Type.Null()]),
        gapWon: maybeWon,
      }),
    ),
    trades: Type.Array(
      object('BullionTrade', {
        id: Type.String({ description: 'Of the request that two people agreed on.' }),
        side,
        metal,
        grams,
        won,
        reference: Type.String(),
        at: moment,
      }),
      { description: 'Newest first, 500 at most.' },
    ),
    waiting: Type.Array(
      object('WaitingBullion', {
        id: Type.String(),
        metal,
        reference: Type.String(),
        askedBy: Type.String(),
      }),
    ),
  },
  { description: "The house's metal against what members hold." },
)

const tags = ['Books']
const SCHEMAS = {
  read: {
    operationId: 'bullion',
    summary: "The house's bullion, and the hedge gap of each metal",
    tags,
    response: { 200: Answer, ...refusals(...STAFF_ONLY) },
  },
  ask: {
    operationId: 'requestBullion',
    summary: 'Ask to record bullion that the house bought or sold',
    description: 'It waits for a second person. A reference is booked once.',
    tags,
    body: object('BullionWish', {
      side,
      metal,
      grams: Type.String({ maxLength: 20, examples: ['1000.5'] }),
      won: Type.Integer({
        description: 'Paid or received, without VAT.',
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
      reference: Type.String({ minLength: 1, maxLength: 200 }),
      reason,
    }),
    response: { 200: WaitingAnswer, ...actRefusals },
  },
} as const

interface BullionDeps extends Pick<HttpDeps, 'keyMode' | 'trustedProxies'> {
  readBullion(): Promise<{
    at: Temporal.Instant
    hedges: Hedge[]
    trades: BullionTrade[]
    waiting: ChangeRequest[]
  }>
  requestBullion(command: Parameters<typeof requestBullion>[1]): ReturnType<typeof requestBullion>
}

// Nothing tells the service what the house bought or sold, so two people record it.
export function registerBullion(scope: Server, deps: BullionDeps, access: ConsoleAccess): void {
  scope.get('/bullion', { ...access.may('books.read', 'operator'), schema: SCHEMAS.read }, async () => {
    const { at, hedges, trades, waiting } = await deps.readBullion()
    return {
      at: instantText(at),
      hedges: hedges.map(hedgeJson),
      trades: trades.map(({ units, won: paid, at: booked, ...trade }) => ({
        ...trade,
        // Both metals are counted in the same unit, so either code will do.
        grams: amountText('XAU', units),
        won: wonToJson(paid),
        at: instantText(booked),
      })),
      waiting: waiting.map(({ id, subject, payload, maker }) => ({
        id,
        metal: subject as 'XAU' | 'XAG',
        reference: String(payload.reference),
        askedBy: maker,
      })),
    }
  })

  scope.post(
    '/bullion',
    { ...access.mayWithProof('bullion.request', 'operator'), schema: SCHEMAS.ask, ...jsonBody },
    async (request) => {
      const { grams: typed, won: paid, ...wish } = request.body
      const units = parseGrams(typed)
      if (units === undefined)
        throw new ApiError('invalid_request', [
          { pointer: '#/grams', detail: 'grams with up to four places' },
        ])
      const outcome = await deps.requestBullion({
        ...personOf(deps, request),
        ...wish,
        units,
        won: BigInt(paid),
      })
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      // Not waiting: this reference was booked before.
      return outcome.kind === 'waiting'
        ? { waiting: true, requestId: outcome.request.id }
        : { waiting: false, requestId: null }
    },
  )
}

function hedgeJson({ metal: of, members, house, gap, wonPerGram, priceAgeSeconds, gapWon }: Hedge) {
  return {
    metal: of,
    members: amountText(of, members),
    house: amountText(of, house),
    gap: amountText(of, gap),
    wonPerGram: wonPerGram === null ? null : wonToJson(wonPerGram),
    priceAgeSeconds: priceAgeSeconds === null ? null : Math.round(priceAgeSeconds),
    gapWon: gapWon === null ? null : wonToJson(gapWon),
  }
}
