import { cached } from '#base/cached.ts'
import type { Reader } from '#base/db/db.ts'
import { seoulDate } from './seoul-time.ts'

const TRUST_MS = 2_000 // midnight, or a sandbox's clock that was moved on, is noticed this soon

const NOW = { name: 'service_now', text: 'select service_now() as now' }

export async function serviceNow(database: Reader): Promise<Temporal.Instant> {
  const [row] = await database.read<{ now: Temporal.Instant }>(NOW, [])
  return row!.now
}

export type ServiceToday = () => Promise<Temporal.PlainDate>

// The database's day in Seoul, for rules that are checked before anything is sent there.
export function createServiceToday(database: Reader): ServiceToday {
  const today = cached(TRUST_MS, async (_day: 'today') => seoulDate(await serviceNow(database)))
  return () => today('today')
}
