import { wonToJson } from '#base/money.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { askOf, bidOf, tradingState } from '#modules/pricing/rules.ts'
import type { LastPrice, Market, PricePoint } from '#modules/pricing/store.ts'
import type { HandPrice, TermsEntry } from '#modules/pricing/terms-history.ts'
import type { Metal, Period } from '#modules/pricing/types.ts'
import type { ConsoleAccess } from './access.ts'
import { STAFF_ONLY } from './refusal-lists.ts'

const moment = Type.String({ format: 'date-time' })
const won = Type.Integer({ description: 'Won per gram.', minimum: 1 })
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])
const METAL = choice('TradedMetal', ['XAU', 'XAG'])

const TERMS = {
  spreadBps: Type.Integer({ description: 'Hundredths of a percent.' }),
  feeBps: Type.Integer({ description: 'Hundredths of a percent.' }),
  maxAgeSeconds: Type.Integer({ description: 'Trading stops when the newest price is older.' }),
}

const PricesAnswer = object(
  'ConsolePrices',
  {
    at: moment,
    metals: Type.Array(
      object('ConsoleMetal', {
        metal: METAL,
        trading: choice('ConsoleTrading', ['open', 'stale', 'stopped']),
        price: orNull(
          object('ConsolePrice', {
            at: moment,
            reference: won,
            ask: won,
            bid: won,
            dayBefore: orNull(won),
            ageSeconds: Type.Integer(),
            source: Type.String({ description: '`operator`: by hand.' }),
          }),
        ),
        terms: object('ConsoleTerms', TERMS),
        history: Type.Array(
          object('TermsEntry', {
            ...TERMS,
            at: moment,
            stopped: Type.Boolean(),
            setBy: Type.String(),
            askedBy: orNull(Type.String()),
            reason: orNull(Type.String()),
          }),
          { description: 'Terms and stops, newest first. Each holds from its time on.' },
        ),
        byHand: Type.Array(
          object('HandPrice', {
            at: moment,
            wonPerGram: won,
            askedBy: Type.String(),
            approvedBy: orNull(Type.String()),
            reason: Type.String(),
          }),
        ),
      }),
    ),
  },
  { description: 'The price feed and the terms of trading, with their history.' },
)

const HistoryAnswer = object('ConsolePriceHistory', {
  metal: METAL,
  points: Type.Array(object('ConsolePricePoint', { at: moment, wonPerGram: won })),
})

const tags = ['Prices']
const SCHEMAS = {
  prices: {
    operationId: 'consolePrices',
    summary: 'The price feed and the terms of trading',
    description: 'Takes `prices.read`.',
    tags,
    response: { 200: PricesAnswer, ...refusals(...STAFF_ONLY) },
  },
  history: {
    operationId: 'consolePriceHistory',
    summary: 'What a metal has cost',
    description: 'Takes `prices.read`.',
    tags,
    params: Type.Object({ metal: METAL }),
    querystring: Type.Object({
      period: Type.Optional(Type.Enum(['1d', '1w', '1m', '1y'], { type: 'string' })),
    }),
    response: { 200: HistoryAnswer, ...refusals(...STAFF_ONLY) },
  },
} as const

const METALS = ['XAU', 'XAG'] as const
const SHOWN = 20

interface PriceDeps {
  readMarket(): Promise<Market>
  readLastPrices(): Promise<LastPrice[]>
  readPriceHistory(metal: Metal, period: Period): Promise<PricePoint[]>
  listTerms(metal: Metal, limit: number): Promise<TermsEntry[]>
  listPricesByHand(metal: Metal, limit: number): Promise<HandPrice[]>
}

export function registerConsolePrices(scope: Server, deps: PriceDeps, access: ConsoleAccess): void {
  const may = access.may('prices.read', 'operator')
  scope.get('/prices', { ...may, schema: SCHEMAS.prices }, async () => {
    const market = await deps.readMarket()
    const last = await deps.readLastPrices()
    const metals = []
    for (const metal of METALS) {
      const history = await deps.listTerms(metal, SHOWN)
      const byHand = await deps.listPricesByHand(metal, SHOWN)
      metals.push({
        ...metalJson(market, metal, last.find((one) => one.metal === metal)?.source ?? ''),
        history: history.map(({ at, metal: _, ...entry }) => ({ ...entry, at: instantText(at) })),
        byHand: byHand.map(({ at, wonPerGram, metal: _, ...entry }) => ({
          ...entry,
          at: instantText(at),
          wonPerGram: wonToJson(wonPerGram),
        })),
      })
    }
    return { at: instantText(market.now), metals }
  })

  scope.get('/prices/:metal/history', { ...may, schema: SCHEMAS.history }, async (request) => {
    const { metal } = request.params
    const points = await deps.readPriceHistory(metal, request.query.period ?? '1d')
    return {
      metal,
      points: points.map(({ at, wonPerGram }) => ({
        at: instantText(at),
        wonPerGram: wonToJson(wonPerGram),
      })),
    }
  })
}

function metalJson({ metals, terms }: Market, metal: Metal, source: string) {
  const price = metals[metal]
  const { stopped, ...editable } = terms[metal]
  return {
    metal,
    // Without a price nothing is traded, as with one that is too old.
    trading: price ? tradingState(price) : stopped ? ('stopped' as const) : ('stale' as const),
    price: price && {
      at: instantText(price.at),
      reference: wonToJson(price.reference),
      ask: wonToJson(askOf(price.reference, editable.spreadBps)),
      bid: wonToJson(bidOf(price.reference, editable.spreadBps)),
      dayBefore: price.dayBefore === null ? null : wonToJson(price.dayBefore),
      ageSeconds: Math.round(price.ageSeconds),
      source,
    },
    terms: editable,
  }
}
