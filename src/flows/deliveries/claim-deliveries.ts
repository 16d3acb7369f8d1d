import type { Database, Tx } from '#base/db/db.ts'
import { addFollowUps, type OnDeliveryChange } from '#flows/deliveries/record-outcomes.ts'
import { LEASE_MS, planAttempt } from '#modules/deliveries/rules.ts'
import { markClaimed } from '#modules/deliveries/sending.ts'
import { writeChanges } from '#modules/deliveries/store.ts'
import type { Channel, DeliveryChange, MessageKind, Sendable } from '#modules/deliveries/types.ts'

export interface Claimed<MessageContent> {
  id: bigint
  attempt: number
  provider: string
  channel: Channel
  // The version of its text; null if texts have no versions.
  version: number | null
  message: MessageContent
}

// Messages of one kind that may be sent now, locked, each with what it is written from.
export interface Outbox<MessageContent> {
  kind: MessageKind
  lockSendable(
    tx: Tx,
    wanted: { channel: Channel; ids: readonly bigint[]; max: number },
  ): Promise<(Sendable & { message: MessageContent })[]>
  // Which version of its text this provider is sent.
  versionFor(message: MessageContent, channel: Channel, provider: string): number | null
}

export interface ClaimCommand {
  channel: Channel
  ids: readonly bigint[]
  // Providers that would take it now, the best first.
  available: readonly string[]
  max: number
}

// Claims messages. After the commit the attempt counts as begun: a worker that finds it unfinished asks the provider
// before anything is sent again.
export async function claimDeliveries<MessageContent>(
  database: Database,
  { kind, lockSendable, versionFor }: Outbox<MessageContent>,
  command: ClaimCommand,
  onChange: OnDeliveryChange,
): Promise<Claimed<MessageContent>[]> {
  const { claimed, changes } = await database.withTransaction(async (tx) => {
    const sendable = await lockSendable(tx, command)
    const claims: Omit<Claimed<MessageContent>, 'attempt'>[] = []
    const changes: DeliveryChange[] = []
    for (const entry of sendable) {
      const plan = planAttempt(entry, command.available)
      if ('change' in plan) {
        changes.push(plan.change)
        continue
      }
      const { message, state } = entry
      const version = versionFor(message, state.channel, plan.provider)
      claims.push({ ...plan, id: state.id, channel: state.channel, version, message })
    }
    if (changes.length > 0) {
      await writeChanges(tx, kind, changes)
      await addFollowUps(tx, kind, changes, () => command.channel)
    }
    const attempts =
      claims.length > 0 ? await markClaimed(tx, kind, claims, LEASE_MS) : new Map<bigint, number>()
    return { claimed: claims.map((claim) => ({ ...claim, attempt: attempts.get(claim.id)! })), changes }
  })
  for (const change of changes) onChange(change, kind === 'notice' ? kind : command.channel)
  return claimed
}
