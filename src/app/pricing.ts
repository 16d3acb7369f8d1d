import type { PriceFeed } from '#providers/metal-price/port.ts'

// Until the providers are there: a feed that has no price.
export function createPriceFeed(): PriceFeed {
  return {
    name: 'simulated',
    read: async () => ({ kind: 'unavailable', reason: 'there is no price feed yet' }),
    past: undefined,
    async close() {},
  }
}
