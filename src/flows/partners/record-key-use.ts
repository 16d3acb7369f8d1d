import type { Database } from '#base/db/db.ts'
import { markKeysUsed } from '#modules/partners/store.ts'
import type { KeyId } from '#modules/partners/types.ts'

const FLUSH_MS = 10_000

export interface KeyUse {
  note(id: KeyId): void
  flush(): Promise<void>
  stop(): Promise<void>
}

// "Last used" helps people decide which key is still needed. It is gathered in memory and written now and then. A
// crash loses ten seconds of it, which does no harm.
export function createKeyUse(database: Database, onError: (error: unknown) => void): KeyUse {
  const used = new Set<KeyId>()

  async function flush(): Promise<void> {
    if (used.size === 0) return
    const ids = [...used]
    // Cleared before the write: a use noted during it belongs to the next one.
    used.clear()
    await database.withTransaction((tx) => markKeysUsed(tx, ids)).catch(onError)
  }

  const timer = setInterval(flush, FLUSH_MS)
  timer.unref()
  return {
    note: (id) => void used.add(id),
    flush,
    stop() {
      clearInterval(timer)
      return flush()
    },
  }
}
