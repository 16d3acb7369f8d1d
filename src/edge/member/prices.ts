import { wonToJson } from '#base/money.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { PriceBoard } from '#modules/pricing/board.ts'
import { askOf, bidOf, bpsText, percentText, tradingState } from '#modules/pricing/rules.ts'
import type { PricePoint } from '#modules/pricing/store.ts'
import type { MetalPrice } from '#modules/pricing/types.ts'
import { METAL_OF } from './metals.ts'
import { ANY } from './refusal-lists.ts'
import { metal, moment, percent, signedWon } from './schema-parts.ts'

const TRADING = choice('TradingState', ['open', 'stale', 'stopped'], {
  description:
    '`stale`: the price feed is late, so nothing is traded. `stopped`: the operator has stopped trading.',
})

const MetalPriceAnswer = object('MetalPrice', {
  reference: Type.Integer({ description: 'Won per gram, as the feed has it.', minimum: 1 }),
  ask: Type.Integer({ description: 'Won per gram when a member buys.', minimum: 1 }),
  bid: Type.Integer({ description: 'Won per gram when a member sells.', minimum: 1 }),
  at: moment,
  change: object('PriceChange', { won: signedWon, percent }, { description: 'Against 24 hours before.' }),
})

const PricesAnswer = object(
  'Prices',
  {
    trading: TRADING,
    asOf: moment,
    gold: MetalPriceAnswer,
    silver: MetalPriceAnswer,
    spreadPercent: object('Spreads', { gold: percent, silver: percent }),
    feePercent: percent,
  },
  { description: 'The prices of both metals, and whether trading is open.' },
)

const MetalParams = Type.Object({ metal })

const PeriodQuery = Type.Object({ period: Type.Enum(['1d', '1w', '1m', '1y'], { type: 'string' }) })

const PriceHistoryAnswer = object(
  'PriceHistory',
  {
    metal,
    period: Type.String(),
    points: Type.Array(object('PricePoint', { at: moment, wonPerGram: Type.Integer({ minimum: 1 }) }), {
      description: 'Oldest first, evenly spaced. Moments before the first known price are left out.',
    }),
  },
  { description: 'The prices of the period, oldest first.' },
)

const ROUTES = {
  getPrices: {
    url: '/prices',
    schema: {
      operationId: 'getPrices',
      summary: 'What gold and silver cost now',
      tags: ['Prices'],
      response: { 200: PricesAnswer, ...refusals(...ANY) },
    },
  },
  getPriceHistory: {
    url: '/prices/:metal/history',
    schema: {
      operationId: 'getPriceHistory',
      summary: 'What a metal has cost',
      tags: ['Prices'],
      params: MetalParams,
      querystring: PeriodQuery,
      response: { 200: PriceHistoryAnswer, ...refusals(...ANY) },
    },
  },
} as const

// Prices are public: they are on the first page.
export function registerPrices(scope: Server, deps: { prices: PriceBoard }): void {
  const { getPrices, getPriceHistory } = ROUTES
  scope.get(getPrices.url, { schema: getPrices.schema }, async () => {
    const { now, metals } = await deps.prices.market()
    const { XAU: gold, XAG: silver } = metals
    // Before the first reading there is no price. None is made up: holdings would be valued by it.
    if (!gold || !silver) throw new ApiError('prices_stale')
    // One state for both metals, the worse one: the pages have one sign for trading.
    const states = [tradingState(gold), tradingState(silver)]
    return {
      trading: (['stopped', 'stale'] as const).find((state) => states.includes(state)) ?? ('open' as const),
      asOf: instantText(now),
      gold: priceJson(gold),
      silver: priceJson(silver),
      spreadPercent: { gold: bpsText(gold.terms.spreadBps), silver: bpsText(silver.terms.spreadBps) },
      // The greater fee if they differ, so that no member is charged more than was shown. A quote has its own.
      feePercent: bpsText(Math.max(gold.terms.feeBps, silver.terms.feeBps)),
    }
  })

  scope.get(getPriceHistory.url, { schema: getPriceHistory.schema }, async (request) => {
    const { metal } = request.params
    const { period } = request.query
    const points = await deps.prices.history(METAL_OF[metal], period)
    return { metal, period, points: pointsJson(points) }
  })
}

type PointJson = { at: string; wonPerGram: number }

// Weak, so that the written form goes away with the points.
const written = new WeakMap<readonly PricePoint[], PointJson[]>()

// The same points are sent many times, and writing them out is most of an answer's cost.
function pointsJson(points: readonly PricePoint[]): PointJson[] {
  const known = written.get(points)
  if (known) return known
  const json = points.map(({ at, wonPerGram }) => ({
    at: at.toString({ smallestUnit: 'second' }),
    wonPerGram: wonToJson(wonPerGram),
  }))
  written.set(points, json)
  return json
}

// Ask and bid include the spread. An order still uses its own quote.
function priceJson({ reference, at, dayBefore, terms }: MetalPrice) {
  // Without a price of the day before, the change is zero.
  const before = dayBefore ?? reference
  return {
    reference: wonToJson(reference),
    ask: wonToJson(askOf(reference, terms.spreadBps)),
    bid: wonToJson(bidOf(reference, terms.spreadBps)),
    at: at.toString({ smallestUnit: 'millisecond' }),
    change: { won: wonToJson(reference - before), percent: percentText(reference - before, before) },
  }
}
