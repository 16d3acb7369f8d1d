import type { Database } from '#base/db/db.ts'
import type { Log } from '#base/log.ts'
import { fillPast, readServiceNow, recordPrices } from '#flows/trading/record-prices.ts'
import { METALS, type Metal, type PriceFeed } from '#providers/metal-price/port.ts'

export interface PriceDeps {
  database: Database
  log: Log
  prices: PriceFeed
  // The outcome of a reading, for the metrics.
  onReading(metal: Metal, outcome: 'recorded' | 'held_back' | 'unavailable'): void
}

// Reads the price of metal every minute. The feed is called outside any transaction. A missing reading is logged, and
// the last price grows older until trading stops.
export async function pollPrices({ database, log, prices, onReading }: PriceDeps): Promise<void> {
  const now = await readServiceNow(database)
  if (prices.past) {
    const count = await fillPast(database, prices.name, now, prices.past)
    if (count > 0) log.info('past prices filled in', { job: 'poll_prices', count })
  }
  const outcomes = await Promise.all(
    METALS.map(async (metal) => ({ metal, outcome: await prices.read(metal, now) })),
  )
  for (const { metal, outcome } of outcomes) {
    if (outcome.kind === 'price') continue
    onReading(metal, 'unavailable')
    log.warn('price not read', { job: 'poll_prices', code: metal, reason: outcome.reason })
  }
  const readings = outcomes.flatMap(({ outcome }) => (outcome.kind === 'price' ? [outcome.price] : []))
  for (const { metal, outcome } of await recordPrices(database, prices.name, readings)) {
    onReading(metal, outcome)
    if (outcome === 'held_back') {
      log.error('price held back', {
        job: 'poll_prices',
        code: metal,
        reason: 'more than 15% from the last one',
      })
    }
  }
}
