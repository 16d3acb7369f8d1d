import type { Tx } from '#base/db/db.ts'
import type { FoundAttempt, Sendable } from '#modules/deliveries/types.ts'
import { findLostAttempts } from '#modules/restorations/listings.ts'
import { readMarks } from '#modules/restorations/store.ts'

type Entry<MessageContent> = Pick<Sendable, 'state'> & { message: MessageContent }

interface Keyed<MessageContent> {
  keyOf(message: MessageContent, channel: Sendable['state']['channel']): string
  sinceOf(message: MessageContent): Temporal.Instant
}

// What a restore to an earlier time says about messages that may be sent now.
interface Holds<MessageContent> {
  // An attempt of the lost time: it is not made again, but asked about.
  lostOf(entry: Entry<MessageContent>): FoundAttempt | undefined
  // It may have been sent in the lost time, and the providers were not all asked yet.
  isHeld(entry: Entry<MessageContent>): boolean
}

const NONE: Holds<unknown> = { lostOf: () => undefined, isHeld: () => false }

// What came after the restore has keys of its own. All else may have been sent in the lost time, also messages that are
// written only now, such as a reminder of that day.
export async function findHolds<MessageContent>(
  tx: Tx,
  { keyOf, sinceOf }: Keyed<MessageContent>,
  entries: readonly Entry<MessageContent>[],
): Promise<Holds<MessageContent>> {
  const marks = entries.length > 0 ? await readMarks(tx) : undefined
  if (!marks) return NONE
  const isFrom = (until: Temporal.Instant, { message }: Entry<MessageContent>) =>
    Temporal.Instant.compare(sinceOf(message), until) <= 0
  const keyed = (entry: Entry<MessageContent>) => keyOf(entry.message, entry.state.channel)
  const lost = await findLostAttempts(
    tx,
    entries
      .filter((entry) => isFrom(marks.restoredAt, entry))
      .map((entry) => ({ key: keyed(entry), attempt: entry.state.attempt })),
  )
  return {
    lostOf: (entry) => lost.get(keyed(entry)),
    isHeld: (entry) => marks.heldUntil !== null && isFrom(marks.heldUntil, entry),
  }
}
