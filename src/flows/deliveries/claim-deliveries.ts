import { assert } from '#base/assert.ts'
import type { Database, Tx } from '#base/db/db.ts'
import { addFollowUps, type OnDeliveryChange } from '#flows/deliveries/record-outcomes.ts'
import { findHolds } from '#flows/deliveries/restored-messages.ts'
import { LEASE_MS, MOST_TOGETHER, planAttempt } from '#modules/deliveries/rules.ts'
import { markClaimed, takeOverAttempts } from '#modules/deliveries/sending.ts'
import { addDeliveryJob, takeOverJobs, writeChanges } from '#modules/deliveries/store.ts'
import type {
  Channel,
  DeliveryChange,
  FoundAttempt,
  MessageKind,
  Sendable,
  Wanted,
} from '#modules/deliveries/types.ts'

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
  lockSendable(tx: Tx, wanted: Wanted): Promise<(Sendable & { message: MessageContent })[]>
  // Which version of its text this provider is sent.
  versionFor(message: MessageContent, channel: Channel, provider: string): number | null
  // The key that travels with it, and since when there is what it is about, by the service's clock.
  keyOf(message: MessageContent, channel: Channel): string
  sinceOf(message: MessageContent): Temporal.Instant
}

export interface ClaimCommand {
  channel: Channel
  ids: readonly bigint[]
  // Providers that would take it now, the best first.
  available: readonly string[]
  // Of messages that may share a request with others.
  together: boolean
  // The job failed before: what it has to send goes alone.
  isRetry: boolean
  // Whether it may take others over from jobs that wait.
  takesOver: boolean
}

// Claims messages. After the commit the attempt counts as begun: a worker that finds it unfinished asks the provider
// before anything is sent again.
export async function claimDeliveries<MessageContent>(
  database: Database,
  outbox: Outbox<MessageContent>,
  command: ClaimCommand,
  onChange: OnDeliveryChange,
): Promise<Claimed<MessageContent>[]> {
  const { kind, versionFor } = outbox
  const { claimed, changes } = await database.withTransaction(async (tx) => {
    const sendable = await lockTogether(tx, outbox, command)
    const holds = await findHolds(tx, outbox, sendable)
    const claims: Omit<Claimed<MessageContent>, 'attempt'>[] = []
    const changes: DeliveryChange[] = []
    const found: { id: bigint; version: number | null; lost: FoundAttempt }[] = []
    for (const entry of sendable) {
      const { message, state } = entry
      const lost = holds.lostOf(entry)
      if (lost) {
        found.push({ id: state.id, version: versionFor(message, state.channel, lost.provider), lost })
        continue
      }
      const plan = planAttempt(
        holds.isHeld(entry) ? { ...entry, dropped: null, waits: true } : entry,
        command.available,
      )
      if ('change' in plan) {
        changes.push(plan.change)
        continue
      }
      const version = versionFor(message, state.channel, plan.provider)
      claims.push({ ...plan, id: state.id, channel: state.channel, version, message })
    }
    if (changes.length > 0) {
      await writeChanges(tx, kind, changes)
      await addFollowUps(tx, kind, changes, () => command.channel)
    }
    if (found.length > 0) {
      await takeOverAttempts(tx, kind, found)
      const ids = found.map(({ id }) => id)
      await addDeliveryJob(tx, kind, 'query', { channel: command.channel, ids, due: 0, together: false })
    }
    const attempts =
      claims.length > 0 ? await markClaimed(tx, kind, claims, LEASE_MS) : new Map<bigint, number>()
    assert(attempts.size === claims.length, 'a message is claimed once')
    return { claimed: claims.map((claim) => ({ ...claim, attempt: attempts.get(claim.id)! })), changes }
  })
  for (const change of changes) onChange(change, kind === 'notice' ? kind : command.channel)
  return claimed
}

// A message in doubt has a job of its own, in which it meets few others (`companyOf`). An older job may name it too.
async function lockTogether<MessageContent>(
  tx: Tx,
  outbox: Outbox<MessageContent>,
  { channel, ids, together, isRetry, takesOver }: ClaimCommand,
): Promise<(Sendable & { message: MessageContent })[]> {
  const own = await outbox.lockSendable(tx, { ids, withDoubtful: !together })
  const isAlone = own.length > 0 && (isRetry || own.some(({ state }) => state.absences > 0))
  const room = MOST_TOGETHER - own.length
  if (!takesOver || isAlone || room <= 0) return own
  const taken = await takeOverJobs(tx, outbox.kind, { channel, room })
  // Several jobs may name one message: after the end of a worker the sweep adds one beside what is left of the first.
  const known = new Set(own.map(({ state }) => state.id))
  const others = taken.filter((id) => !known.has(id))
  if (others.length === 0) return own
  return [...own, ...(await outbox.lockSendable(tx, { ids: others, withDoubtful: false }))]
}
