// At most `width` at once, results in order.
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next++
      results[index] = await work(items[index]!)
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  return results
}

export function inGroups<T>(items: readonly T[], groupOf: (item: T) => string): T[][] {
  return [...Map.groupBy(items, groupOf).values()]
}

export function inChunks<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size))
  return chunks
}
