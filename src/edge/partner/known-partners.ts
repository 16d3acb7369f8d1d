import type { Reader } from '#base/db/db.ts'
import { Batcher } from '#base/queues/batch.ts'
import { findKeylessPartners, findKnownKeys } from '#modules/partners/store.ts'
import type { KeyId, KeylessPartner, KnownKey } from '#modules/partners/types.ts'

const TRUST_MS = 2_000 // what was read of a key or a partner counts this long; revoked means refused within 5 s
const MAX_KEYS = 10_000 // bounds what a flood of made-up keys can occupy

// Answers at once if the key is known, so that most requests wait for nothing.
export type FindKey = (id: KeyId) => KnownKey | undefined | Promise<KnownKey | undefined>

interface Known<Value> {
  until: number
  value: Value | Promise<Value>
}

// Keys as the database last had them, trusted for two seconds. Look-ups of unknown keys are batched.
export function createKeyCache(database: Reader): FindKey {
  const cache = new Map<KeyId, Known<KnownKey | undefined>>()
  const batcher = new Batcher<KeyId, KnownKey | undefined>({
    run: (ids) => findKnownKeys(database, ids),
    maxSize: 100,
    maxInFlight: 2,
    // Bounds the memory of a flood. Look-ups beyond it get 503.
    maxWaiting: 5_000,
  })
  return (id) => {
    const now = performance.now()
    const before = cache.get(id)
    if (before && before.until > now) return before.value
    // Counted from before the read, so that a revocation that commits during it is not missed for longer.
    const asked = batcher.submit(id)
    const known: Known<KnownKey | undefined> = { until: now + TRUST_MS, value: asked }
    // A Map keeps the order of insertion. Deleting first moves the key to the end, so the oldest one is dropped below.
    cache.delete(id)
    cache.set(id, known)
    asked.then(
      (key) => {
        known.value = key
      },
      // A failed read is not remembered: the next request asks again.
      () => cache.delete(id),
    )
    if (cache.size > MAX_KEYS) cache.delete(cache.keys().next().value!)
    return asked
  }
}

interface CheckedHeaders {
  find(header: string): KnownKey | undefined
  keep(header: string, key: KnownKey): void
}

// Headers whose secret was found right. Parsing and hashing it again for every request of a busy partner would cost as
// much as all else that the check does. A header counts only for the reading of the key that it was checked against:
// the next one, within two seconds, is checked anew. A Map finds texts by a hash with a seed of this process, so the
// time it takes tells nothing of a secret.
export function createCheckedHeaders(findKey: FindKey): CheckedHeaders {
  const checked = new Map<string, KnownKey>()
  let willClear = false
  return {
    find(header) {
      const key = checked.get(header)
      return key && findKey(key.id) === key ? key : undefined
    },
    keep(header, key) {
      if (checked.size >= MAX_KEYS) checked.clear()
      checked.set(header, key)
      // One timer clears all, also when no request follows: secrets stay in memory no longer than they count.
      if (!willClear) setTimeout(clear, TRUST_MS).unref()
      willClear = true
    },
  }

  function clear(): void {
    willClear = false
    checked.clear()
  }
}

export type ListKeyless = () => readonly KeylessPartner[] | Promise<readonly KeylessPartner[]>

// The partners that accept calls without a key from their own networks. They are few, so all are read at once.
export function createKeylessCache(database: Reader): ListKeyless {
  let known: Known<readonly KeylessPartner[]> | undefined
  return () => {
    const now = performance.now()
    if (known && known.until > now) return known.value
    const asked = findKeylessPartners(database)
    const asking: Known<readonly KeylessPartner[]> = { until: now + TRUST_MS, value: asked }
    known = asking
    asked.then(
      (partners) => {
        asking.value = partners
      },
      () => {
        // A newer read may be here by now. An older failure must not drop it.
        if (known === asking) known = undefined
      },
    )
    return asked
  }
}
