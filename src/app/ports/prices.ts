import { type Metrics, measureRequests } from '#app/metrics.ts'
import { BadSetting, type Config } from '#app/settings/config.ts'
import type { Log } from '#base/log.ts'
import type { PriceFeed, PriceWatch } from '#providers/metal-price/port.ts'
import { createSimulatedPrices } from '#providers/metal-price/simulated.ts'

export function requirePrices({ prices: { feed } }: Config) {
  if (feed !== undefined) return feed
  throw new BadSetting('PRICES', 'is required in live mode: goldapi, and its settings')
}

// A bad setting is thrown at once. Only the code of the feed in use is loaded.
export function createPriceFeed(config: Config, log: Log, metrics: Metrics): Promise<PriceFeed> {
  const { goldapi } = config.prices
  const feed = requirePrices(config)
  const watch: PriceWatch = { onRequest: measureRequests(metrics) }
  if (feed === 'simulated') return Promise.resolve(createSimulatedPrices({ watch }))
  // Without readings the last price grows old, and trading stops by itself (decisions/0022).
  const onCircuit = (open: boolean) => {
    if (open) log.error('feed gives no prices', { reason: feed })
    else log.info('feed gives prices again', { reason: feed })
    metrics.providerCircuit.set({ provider: feed, channel: 'prices' }, open ? 1 : 0)
  }
  return import('#providers/metal-price/goldapi.ts').then(({ createGoldapi }) =>
    createGoldapi({ ...goldapi!, watch, onCircuit }),
  )
}
