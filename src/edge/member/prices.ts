import { wonToJson } from '#base/money.ts'
import { answers } from '#edge/error-answers.ts'
import { ApiError } from '#edge/errors.ts'
import { instantText } from '#edge/instant-text.ts'
import type { EdgeDeps, Server } from '#edge/types.ts'
import { askOf, bidOf, bpsText, percentText, tradingState } from '#modules/pricing/rules.ts'
import { readMarket, readPriceHistory } from '#modules/pricing/store.ts'
import type { MetalPrice } from '#modules/pricing/types.ts'
import { METAL_OF } from './metals.ts'
import { MetalParams, PeriodQuery, PriceHistoryAnswer, PricesAnswer } from './trade-schemas.ts'

// Prices are public: they are on the first page.
export function registerPrices(scope: Server, deps: EdgeDeps): void {
  scope.get(
    '/prices',
    {
      schema: {
        operationId: 'prices',
        summary: 'What metal costs now',
        description: 'Prices to buy and to sell at, and whether anything is traded.',
        tags: ['Prices'],
        response: { 200: PricesAnswer, ...answers(500, 503) },
      },
    },
    async () => {
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
    },
  )

  scope.get(
    '/prices/:metal/history',
    {
      schema: {
        operationId: 'priceHistory',
        summary: 'What metal has cost',
        description: 'For a chart: some 150 moments of the period.',
        tags: ['Prices'],
        params: MetalParams,
        querystring: PeriodQuery,
        response: { 200: PriceHistoryAnswer, ...answers(400, 500, 503) },
      },
    },
    async (request) => {
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
    },
  )
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
