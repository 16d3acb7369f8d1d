import { cached } from '#base/cached.ts'
import type { Reader } from '#base/db/db.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import { type Market, type PricePoint, readMarket, readPriceHistory } from './store.ts'
import type { Metal, Period } from './types.ts'

const MARKET_MS = 1_000
const HISTORY_MS = 10_000 // the feed is asked once a minute

export interface PriceBoard {
  market(): Promise<Market>
  history(metal: Metal, period: Period): Promise<PricePoint[]>
}

// The prices that pages show: read once for all readers. Quotes read the database.
export function createPriceBoard(database: Reader, queue: WorkQueue): PriceBoard {
  const market = cached(MARKET_MS, (_all: 'all') => queue('prices', () => readMarket(database)))
  const history = cached(HISTORY_MS, (key: `${Metal} ${Period}`) => {
    const [metal, period] = key.split(' ') as [Metal, Period]
    return queue('prices', () => readPriceHistory(database, metal, period))
  })
  return {
    market: () => market('all'),
    history: (metal, period) => history(`${metal} ${period}`),
  }
}
