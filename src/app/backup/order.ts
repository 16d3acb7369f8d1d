import { parseLsn } from '#app/embedded-postgres/wal-names.ts'
import type { Manifest } from './manifest.ts'

/**
 * The order in which copies were taken. Along one chain the log tells it. There a copy whose time is later than that of
 * the next one was taken while the clock ran ahead, and counts as old as the next one. Between chains only time tells.
 */
export function oldestFirst<T>(
  items: readonly T[],
  manifestOf: (item: T) => Pick<Manifest, 'id' | 'chain' | 'stopLsn' | 'endedAt'>,
): T[] {
  const chains = Map.groupBy(items, (item) => manifestOf(item).chain ?? manifestOf(item).id)
  const timed = [...chains.values()].flatMap((chain) => {
    const along = chain.map((item) => ({ item, lsn: parseLsn(manifestOf(item).stopLsn) }))
    along.sort((a, b) => compare(a.lsn, b.lsn))
    let before = '~' // after any time
    const newestFirst = along.toReversed().map(({ item }) => {
      const { endedAt } = manifestOf(item)
      if (endedAt < before) before = endedAt
      return { item, at: before }
    })
    return newestFirst.reverse()
  })
  return timed.sort((a, b) => compare(a.at, b.at)).map(({ item }) => item)
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}
