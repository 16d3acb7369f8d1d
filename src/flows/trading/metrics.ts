import type { Reader } from '#base/db/db.ts'
import { addCounter, addGauges, type Registry, startAtZero } from '#base/metrics.ts'
import { readLastPrices } from '#modules/pricing/store.ts'
import { METALS } from '#modules/pricing/types.ts'

export type TradingMetrics = ReturnType<typeof addTradingMetrics>

export function addTradingMetrics(registry: Registry) {
  return {
    quotes: addCounter(registry, 'ingot_quotes_total', 'Quotes asked for, by outcome', ['outcome']),
    orders: addCounter(registry, 'ingot_orders_total', 'Orders, by outcome', ['outcome']),
    priceReadings: startAtZero(
      addCounter(
        registry,
        'ingot_price_readings_total',
        'Readings of the price feed: recorded, held_back (too far from the last one), unavailable',
        ['metal', 'outcome'],
      ),
      METALS.map((metal) => ({ metal, outcome: 'held_back' })),
    ),
  }
}

export function addPriceGauges(registry: Registry, database: Reader): void {
  addGauges(
    registry,
    () => readLastPrices(database),
    ['metal'],
    ({ metal }) => ({ metal }),
    [
      {
        name: 'ingot_price_age_seconds',
        help: 'Age of the newest price of a metal; trading stops at the age that its terms allow',
        figureOf: ({ ageSeconds }) => ageSeconds,
      },
    ],
  )
}
