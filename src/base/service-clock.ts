import type { Reader } from '#base/db.ts'
import { seoulDate } from '#base/seoul-time.ts'

const TRUST_MS = 2_000 // a sandbox's clock may be moved on; it is noticed this soon

const NOW = { name: 'service_now', text: 'select service_now() as now' }

export type ServiceToday = () => Promise<Temporal.PlainDate>

// The database's day in Seoul, for rules that are checked before anything is sent there.
export function createServiceToday(database: Reader): ServiceToday {
  let read: { at: number; now: Temporal.Instant } | undefined
  return async () => {
    const at = performance.now()
    if (!read || at - read.at > TRUST_MS) {
      const [row] = await database.read<{ now: Temporal.Instant }>(NOW, [])
      read = { at, now: row!.now }
    }
    return seoulDate(read.now.add({ milliseconds: Math.floor(at - read.at) }))
  }
}
