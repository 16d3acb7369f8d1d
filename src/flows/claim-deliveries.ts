import type { Database } from '#base/db.ts'
import { addFollowUps, type OnDeliveryChange } from '#flows/note-deliveries.ts'
import type { Letter } from '#modules/deliveries/letters.ts'
import { LEASE_MS, planAttempt } from '#modules/deliveries/rules.ts'
import { lockSendable, markClaimed } from '#modules/deliveries/sending.ts'
import { writeChanges } from '#modules/deliveries/store.ts'
import type { Channel, DeliveryChange } from '#modules/deliveries/types.ts'

export interface Claimed {
  id: bigint
  attempt: number
  route: string
  channel: Channel
  letter: Letter
}

export interface ClaimCommand {
  channel: Channel
  ids: readonly bigint[]
  // Providers that would take it now, the best first.
  available: readonly string[]
  max: number
}

// Takes messages in hand. When this is committed the attempt counts as begun: whoever finds it unfinished asks the
// provider before anything is sent again.
export async function claimDeliveries(
  database: Database,
  command: ClaimCommand,
  onChange: OnDeliveryChange,
): Promise<Claimed[]> {
  const { claimed, changes } = await database.withTransaction(async (tx) => {
    const sendable = await lockSendable(tx, command)
    const claims: { id: bigint; route: string; channel: Channel; letter: Letter }[] = []
    const changes: DeliveryChange[] = []
    for (const entry of sendable) {
      const plan = planAttempt(entry, command.available)
      if ('change' in plan) changes.push(plan.change)
      else claims.push({ ...plan, id: entry.state.id, channel: entry.state.channel, letter: entry.letter })
    }
    if (changes.length > 0) {
      await writeChanges(tx, changes)
      await addFollowUps(tx, changes, () => command.channel)
    }
    const attempts = claims.length > 0 ? await markClaimed(tx, claims, LEASE_MS) : new Map<bigint, number>()
    return { claimed: claims.map((claim) => ({ ...claim, attempt: attempts.get(claim.id)! })), changes }
  })
  for (const change of changes) onChange(change, command.channel)
  return claimed
}
