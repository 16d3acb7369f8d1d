import type { FastifyRequest } from 'fastify'
import { wonToJson } from '#base/money.ts'
import { ApiError, badField } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import type { Server } from '#edge/http/types.ts'
import type { PlaceOrder } from '#flows/trading/place-order.ts'
import { MAX_UNITS, type QuoteOrder } from '#flows/trading/quote-order.ts'
import { bpsText, gramsText, parseGrams, spreadWonOf } from '#modules/pricing/rules.ts'
import type { Deal } from '#modules/trading/types.ts'
import { type Access, refuseUnder14 } from './access.ts'
import { METAL_OF, NAME_OF_METAL } from './metals.ts'
import { TRADE_ROUTES } from './trade-routes.ts'

interface Deps {
  quoteOrder: QuoteOrder
  placeOrder: PlaceOrder
}

export function registerTrade(scope: Server, deps: Deps, access: Access): void {
  const { makeQuote, placeOrder } = TRADE_ROUTES
  scope.post(makeQuote.url, { schema: makeQuote.schema, ...jsonBody }, async (request) => {
    const { holderId } = refuseUnder14(await access.visitor(request))
    const { side, metal, won, grams } = request.body
    const size = readSize(request, won, grams)
    const outcome = await deps.quoteOrder({ holderId, side, metal: METAL_OF[metal], ...size })
    if (outcome.kind === 'refused') throw new ApiError(outcome.reason)
    const { quote } = outcome
    return {
      quoteId: quote.id,
      ...dealJson(quote),
      rounding: wonToJson(quote.rounding),
      lacking: wonToJson(quote.lackingWon),
      lackingGrams: gramsText(quote.lackingUnits),
      expiresAt: quote.expiresAt.toString({ smallestUnit: 'millisecond' }),
      expiresInSeconds: quote.expiresInSeconds,
    }
  })

  scope.post(placeOrder.url, { schema: placeOrder.schema, ...jsonBody }, async (request) => {
    const { holderId } = refuseUnder14(await access.trusted(request))
    const outcome = await deps.placeOrder({ quoteId: request.body.quoteId, holderId })
    if (outcome.kind === 'refused') {
      // A quote that is not there is told like one that is no more.
      throw new ApiError(outcome.reason === 'insufficient' ? 'insufficient_balance' : 'quote_expired')
    }
    const { order } = outcome
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
    spreadWon: wonToJson(spreadWonOf(deal.units, deal.reference, deal.metalWon)),
    fee: wonToJson(deal.fee),
    total: wonToJson(deal.total),
    fromPoints: wonToJson(deal.fromPoints),
    fromDeposit: wonToJson(deal.fromDeposit),
  }
}
