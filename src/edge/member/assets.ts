import { wonToJson } from '#base/money.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { HeldMetal, ReadHoldings } from '#flows/holdings/read-holdings.ts'
import { gramsText } from '#modules/pricing/rules.ts'
import type { Gain } from '#modules/pricing/types.ts'
import type { Access } from './access.ts'
import { SIGNED_IN } from './refusal-lists.ts'
import { grams, moment, percent, signedWon, won } from './schema-parts.ts'

const GainAnswer = object('Gain', { won: signedWon, percent: Type.Union([percent, Type.Null()]) })

const HeldMetalAnswer = object('HeldMetal', {
  grams,
  pricePerGram: Type.Integer({ minimum: 1 }),
  value: won,
  cost: Type.Integer({ description: 'What was paid for what is held, by moving average.', minimum: 0 }),
  gain: GainAnswer,
})

const AssetsAnswer = object(
  'Assets',
  {
    asOf: moment,
    totalValue: won,
    points: won,
    deposit: won,
    gold: HeldMetalAnswer,
    silver: HeldMetalAnswer,
    gain: GainAnswer,
  },
  { description: 'Everything that is held, at the current price.' },
)

const ROUTES = {
  getAssets: {
    url: '/assets',
    schema: {
      operationId: 'getAssets',
      summary: 'Everything that is held, and what it is worth',
      tags: ['Assets'],
      response: { 200: AssetsAnswer, ...refusals(...SIGNED_IN) },
    },
  },
} as const

interface Deps {
  readHoldings: ReadHoldings
}

// Holdings, history and statements. All figures come from the ledger.
export function registerAssets(scope: Server, deps: Deps, access: Access): void {
  const { getAssets } = ROUTES
  scope.get(getAssets.url, { schema: getAssets.schema }, async (request) => {
    // Of a web view the holder is its link until the member confirms it. So a partner's page never shows
    // what came elsewhere.
    const { holderId } = await access.visitor(request)
    const { asOf, totalValue, points, deposit, gold, silver, gain } = await deps.readHoldings(holderId)
    return {
      asOf: instantText(asOf),
      totalValue: wonToJson(totalValue),
      points: wonToJson(points),
      deposit: wonToJson(deposit),
      gold: metalJson(gold),
      silver: metalJson(silver),
      gain: gainJson(gain),
    }
  })
}

function metalJson({ units, wonPerGram, value, cost, gain }: HeldMetal) {
  return {
    grams: gramsText(units),
    pricePerGram: wonToJson(wonPerGram),
    value: wonToJson(value),
    cost: wonToJson(cost),
    gain: gainJson(gain),
  }
}

function gainJson({ won, percent }: Gain) {
  return { won: wonToJson(won), percent }
}
