import type { FastifyRequest } from 'fastify'
import { wonToJson } from '#base/money.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError, badField } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type { PlaceOrder } from '#flows/trading/place-order.ts'
import { MAX_UNITS, type QuoteOrder } from '#flows/trading/quote-order.ts'
import { bpsText, gramsText, parseGrams, spreadWonOf } from '#modules/pricing/rules.ts'
import type { Deal } from '#modules/trading/types.ts'
import { type Access, refuseUnder14 } from './access.ts'
import { METAL_OF, NAME_OF_METAL } from './metals.ts'
import { ACT } from './refusal-lists.ts'
import { DEAL, grams, metal, moment, side, won } from './schema-parts.ts'

const QuoteBody = object('QuoteRequest', {
  side,
  metal,
  won: Type.Optional(
    Type.Integer({
      description: 'To buy: spend at most this. To sell: receive at least this. Either this or `grams`.',
      minimum: 1,
      maximum: 1_000_000_000,
    }),
  ),
  grams: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,9}(\\.[0-9]{1,4})?$',
      examples: ['0.5'],
      description: 'At least 0.0001.',
    }),
  ),
})

const QUOTED = {
  ...DEAL,
  metalWon: Type.Integer({ description: 'What the metal costs or brings, before the fee.', minimum: 0 }),
  spreadWon: Type.Integer({ description: 'How much of it is the spread.', minimum: 0 }),
  fee: won,
  total: Type.Integer({ description: 'What is paid, or received.', minimum: 0 }),
  fromPoints: won,
  fromDeposit: won,
}

const QuoteAnswer = object(
  'Quote',
  {
    quoteId: uuid(),
    ...QUOTED,
    rounding: Type.Integer({
      description: 'Of the won asked for: to buy, what is not spent; to sell, what is received beyond it.',
      minimum: 0,
    }),
    lacking: Type.Integer({
      description:
        'Won that points and deposit lack for it, or 0; for a sale 0 or, in `lackingGrams`, the metal.',
      minimum: 0,
    }),
    lackingGrams: grams,
    expiresAt: moment,
    expiresInSeconds: Type.Number({ minimum: 0 }),
  },
  { description: 'The quote. Nothing has moved yet.' },
)

const OrderBody = object('OrderRequest', { quoteId: uuid() })

const OrderAnswer = object(
  'Order',
  { orderId: uuid(), placedAt: moment, ...QUOTED },
  { description: 'The order that took the quote.' },
)

// Trading stands still for a late feed as for the operator's stop. The pages word them differently, so
// they are two codes.
const CLOSED = ['prices_stale', 'trading_stopped'] as const

const ROUTES = {
  makeQuote: {
    url: '/quotes',
    schema: {
      operationId: 'makeQuote',
      summary: 'A price that holds for a minute',
      tags: ['Trading'],
      body: QuoteBody,
      response: { 200: QuoteAnswer, ...refusals('amount_too_small', 'under_age', ...CLOSED, ...ACT) },
    },
  },
  placeOrder: {
    url: '/orders',
    schema: {
      operationId: 'placeOrder',
      summary: 'Take a quote, once',
      tags: ['Trading'],
      body: OrderBody,
      response: {
        200: OrderAnswer,
        ...refusals(
          'step_up_required',
          'under_age',
          'not_found',
          'quote_expired',
          'insufficient_balance',
          ...CLOSED,
          ...ACT,
        ),
      },
    },
  },
} as const

interface Deps {
  quoteOrder: QuoteOrder
  placeOrder: PlaceOrder
}

// Quotes and orders. An order names its quote, so a repeated call returns the same order.
export function registerTrade(scope: Server, deps: Deps, access: Access): void {
  const { makeQuote, placeOrder } = ROUTES
  // A quote moves nothing, so any session may ask for one. An order needs a trusted browser.
  scope.post(makeQuote.url, { schema: makeQuote.schema, ...jsonBody }, async (request) => {
    const { holderId } = refuseUnder14(await access.visitor(request))
    const { side, metal, won, grams } = request.body
    const size = readSize(request, won, grams)
    const outcome = await deps.quoteOrder({ holderId, side, metal: METAL_OF[metal], ...size })
    // A quote that the balance does not cover is still given, with what is lacking: the page shows how
    // much more it takes.
    if (outcome.kind === 'refused') throw new ApiError(outcome.reason)
    const { quote } = outcome
    return {
      quoteId: quote.id,
      ...dealJson(quote),
      rounding: wonToJson(quote.rounding),
      lacking: wonToJson(quote.lackingWon),
      lackingGrams: gramsText(quote.lackingUnits),
      expiresAt: quote.expiresAt.toString({ smallestUnit: 'millisecond' }),
      // Beside the moment, because a phone's clock may be minutes off.
      expiresInSeconds: quote.expiresInSeconds,
    }
  })

  scope.post(placeOrder.url, { schema: placeOrder.schema, ...jsonBody }, async (request) => {
    const { holderId } = refuseUnder14(await access.trusted(request))
    const outcome = await deps.placeOrder({ quoteId: request.body.quoteId, holderId })
    if (outcome.kind === 'refused') {
      // An unknown quote gets the same answer as an expired one.
      throw new ApiError(outcome.reason === 'insufficient' ? 'insufficient_balance' : 'quote_expired')
    }
    const { order } = outcome
    request.about = { kind: 'order', id: order.id }
    // The first answer again if the quote was taken before: a lost answer never becomes a second order
    // (decisions/0021).
    return { orderId: order.id, placedAt: instantText(order.at), ...dealJson(order) }
  })
}

// Won or grams, not both.
function readSize(
  request: FastifyRequest,
  won: number | undefined,
  grams: string | undefined,
): { won: bigint } | { units: bigint } {
  if (won !== undefined && grams === undefined) return { won: BigInt(won) }
  const units = grams === undefined || won !== undefined ? undefined : parseGrams(grams)
  if (units === undefined) throw badField(request, 'won', 'must be there, or `grams`, and not both')
  if (units > MAX_UNITS) throw badField(request, 'grams', 'must be a ton at most')
  return { units }
}

function dealJson(deal: Deal & { fromPoints: bigint; fromDeposit: bigint }) {
  return {
    side: deal.side,
    metal: NAME_OF_METAL[deal.metal],
    grams: gramsText(deal.units),
    reference: wonToJson(deal.reference),
    price: wonToJson(deal.price),
    spreadPercent: bpsText(deal.spreadBps),
    feePercent: bpsText(deal.feeBps),
    metalWon: wonToJson(deal.metalWon),
    // Not stored: it follows from the reference price and from what the metal cost.
    spreadWon: wonToJson(spreadWonOf(deal.units, deal.reference, deal.metalWon)),
    fee: wonToJson(deal.fee),
    total: wonToJson(deal.total),
    fromPoints: wonToJson(deal.fromPoints),
    fromDeposit: wonToJson(deal.fromDeposit),
  }
}
