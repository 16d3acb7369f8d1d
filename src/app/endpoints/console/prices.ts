import type { Shared } from '#app/endpoints/shared.ts'
import { changeTerms, requestPrice, stopOrResumeTrading } from '#flows/trading/change-trading.ts'
import { readLastPrices, readMarket, readPriceHistory } from '#modules/pricing/store.ts'
import { listPricesByHand, listTerms } from '#modules/pricing/terms-history.ts'
import type { Metal, Period } from '#modules/pricing/types.ts'

// The feed, its terms and prices by hand.
export function priceDeps({ database }: Shared) {
  return {
    readMarket: () => readMarket(database),
    readLastPrices: () => readLastPrices(database),
    readPriceHistory: (metal: Metal, period: Period) => readPriceHistory(database, metal, period),
    listTerms: (metal: Metal, limit: number) => listTerms(database, metal, limit),
    listPricesByHand: (metal: Metal, limit: number) => listPricesByHand(database, metal, limit),
    changeTerms: (command: Parameters<typeof changeTerms>[1]) => changeTerms(database, command),
    requestPrice: (command: Parameters<typeof requestPrice>[1]) => requestPrice(database, command),
    stopOrResumeTrading: (command: Parameters<typeof stopOrResumeTrading>[1]) =>
      stopOrResumeTrading(database, command),
  }
}
