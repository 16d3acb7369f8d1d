import { wonToJson } from '#base/money.ts'
import { ApiError } from '#edge/errors.ts'
import { instantText } from '#edge/instant-text.ts'
import type { EdgeDeps, Server } from '#edge/types.ts'
import { askOf, bidOf, bpsText, percentText, tradingState } from '#modules/pricing/rules.ts'
import { readMarket, readPriceHistory } from '#modules/pricing/store.ts'
import type { MetalPrice } from '#modules/pricing/types.ts'
import { METAL_OF } from './metals.ts'
import { TRADE_ROUTES } from './trade-routes.ts'

// Prices are public: they are on the first page.
export function registerPrices(scope: Server, deps: EdgeDeps): void {
  const { getPrices, getPriceHistory } = TRADE_ROUTES
  scope.get(getPrices.url, { schema: getPrices.schema }, async () => {
    const { now, metals } = await readMarket(deps.database)
    const { XAU: gold, XAG: silver } = metals
    if (!gold || !silver) throw new ApiError('prices_stale')
    const states = [tradingState(gold), tradingState(silver)]
    return {
      trading: (['stopped', 'stale'] as const).find((state) => states.includes(state)) ?? ('open' as const),
      asOf: instantText(now),
      gold: priceJson(gold),
      silver: priceJson(silver),
      spreadPercent: { gold: bpsText(gold.terms.spreadBps), silver: bpsText(silver.terms.spreadBps) },
      // The greater one, should they differ: nobody is charged more than was said. A quote has its own.
      feePercent: bpsText(Math.max(gold.terms.feeBps, silver.terms.feeBps)),
    }
  })

  scope.get(getPriceHistory.url, { schema: getPriceHistory.schema }, async (request) => {
    const { metal } = request.params
    const { period } = request.query
    const points = await readPriceHistory(deps.database, METAL_OF[metal], period)
    return {
      metal,
      period,
      points: points.map(({ at, wonPerGram }) => ({
        at: at.toString({ smallestUnit: 'second' }),
        wonPerGram: wonToJson(wonPerGram),
      })),
    }
  })
}

function priceJson({ reference, at, dayBefore, terms }: MetalPrice) {
  const before = dayBefore ?? reference
  return {
    reference: wonToJson(reference),
    ask: wonToJson(askOf(reference, terms.spreadBps)),
    bid: wonToJson(bidOf(reference, terms.spreadBps)),
    at: at.toString({ smallestUnit: 'millisecond' }),
    change: { won: wonToJson(reference - before), percent: percentText(reference - before, before) },
  }
}
