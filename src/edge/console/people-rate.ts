import { hash } from 'node:crypto'
import type { TakeToken } from '#base/queues/rate-limits.ts'
import { createRate } from '#edge/http/request-rate.ts'
import type { Staff } from '#modules/staff/types.ts'

// How many names and numbers one person may look for. Support has a call every minute or two. Of a masked number four digits
// are hidden: whoever tries them all is at it for a week.
const OF_A_PERSON = { perSecond: 60 / 3600, burst: 60 }
const KNOWN_MS = 60 * 60 * 1000
const MAX_KNOWN = 20_000

export type CountPeople = (staff: Staff, asked: readonly (string | undefined)[]) => Promise<void>

// Names and numbers are found by a whole match. Without a limit a reader would try until one matches, and so unmask what the
// role does not show. The same one again, on the next page or as a figure, does not count.
export function createPeopleRate(take: TakeToken): CountPeople {
  // Hashes, the oldest first: nothing here remembers a person.
  const known = new Map<string, number>()
  const count = createRate(take, 'people', OF_A_PERSON)
  return async ({ staffId }, asked) => {
    const now = performance.now()
    for (const text of asked) {
      if (text === undefined) continue
      const key = hash('sha256', `${staffId} ${text}`)
      if (now - (known.get(key) ?? -KNOWN_MS) < KNOWN_MS) continue
      await count(staffId)
      known.delete(key)
      known.set(key, now)
      if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!)
    }
  }
}
