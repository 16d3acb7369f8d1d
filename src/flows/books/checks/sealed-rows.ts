import type { Vault } from '#base/crypto/vault.ts'

const BATCH = 500 // some 5 ms of arithmetic: a process that serves requests as well goes on serving them

// A sealed value names its row, so one that was moved from another row does not open.
export function opened(
  vault: Vault,
  place: Parameters<Vault['open']>[0],
  sealed: Buffer,
): string | undefined {
  try {
    return vault.open(place, sealed)
  } catch {
    return undefined
  }
}

// Batch by batch, each of so many rows at most, until one has no last row.
export async function collect(
  next: (after: string | undefined, most: number) => Promise<{ last: string | undefined; wrong: string[] }>,
): Promise<string[]> {
  const found: string[] = []
  for (let after: string | undefined; ; ) {
    const { last, wrong } = await next(after, BATCH)
    found.push(...wrong)
    if (last === undefined) return found
    after = last
  }
}
