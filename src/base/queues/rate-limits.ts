import { type Taken, TokenBucket } from '#base/queues/token-bucket.ts'

export interface Rate {
  perSecond: number
  burst: number
}

// Takes a token from the bucket of one key. `kind` keeps the keys of one kind of caller apart from another's. Answers
// at once if the buckets are in this process, later if the supervisor has them.
export type TakeToken = (kind: string, key: string | number, rate: Rate) => Taken | Promise<Taken>

const MAX_KEYS = 20_000 // of one kind; more are forgotten, and begin anew

// The buckets of a service, in the memory of one process (decisions/0059).
export function createRateLimits(): (kind: string, key: string | number, rate: Rate) => Taken {
  const kinds = new Map<string, Map<string | number, TokenBucket>>()
  return (kind, key, { perSecond, burst }) => {
    const now = performance.now()
    const buckets = kinds.get(kind) ?? new Map<string | number, TokenBucket>()
    kinds.set(kind, buckets)
    const bucket = buckets.get(key) ?? new TokenBucket(perSecond, now, burst)
    // Moved to the end of the map, so that the longest unused entry is forgotten first.
    buckets.delete(key)
    buckets.set(key, bucket)
    if (buckets.size > MAX_KEYS) buckets.delete(buckets.keys().next().value!)
    return bucket.take(perSecond, now, burst)
  }
}
