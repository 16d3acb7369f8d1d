import { assert } from '#base/assert.ts'
import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import { failureFields } from '#base/db/errors.ts'
import { type Log, stackOf } from '#base/log.ts'
import {
  type ClaimCommand,
  type Claimed,
  claimDeliveries,
  type Outbox,
} from '#flows/deliveries/claim-deliveries.ts'
import type { RecordDeps } from '#flows/deliveries/record-outcomes.ts'
import { tellByText } from '#flows/gift-cards/notify-cancellation.ts'
import type { MessageSettings } from '#jobs/message-settings.ts'
import type { Pace } from '#jobs/pace.ts'
import { recordOutcomesWithRetry } from '#jobs/record-outcomes.ts'
import {
  composeContent,
  factsOf,
  type Imprint,
  type MessageContent,
  messagePurposeOf,
  openRecipient,
} from '#modules/deliveries/message-content.ts'
import { templateOf } from '#modules/deliveries/messages/templates.ts'
import { formatKey, LEASE_MS } from '#modules/deliveries/rules.ts'
import { lockSendable } from '#modules/deliveries/sending.ts'
import { CHANNELS, type Channel, type MessageOutcome, type Sendable } from '#modules/deliveries/types.ts'
import { linkCodeOf } from '#modules/gift-cards/link-code.ts'
import { policyOf } from '#modules/refunds/policy.ts'
import type { MessagingProvider, OutgoingMessage } from '#providers/messaging/port.ts'

export interface DeliveryDeps extends RecordDeps {
  database: Database
  log: Log
  keys: VaultKeeper
  providers: readonly MessagingProvider[]
  imprint: Imprint
  settings(): Promise<MessageSettings>
  // For what uses the machine, beside purchases.
  pace: Pace
}

// One kind of message: its rows, and how one of them is written out.
export interface Mail<MessageContent> extends Outbox<MessageContent> {
  compose(deps: DeliveryDeps, claim: Claimed<MessageContent>): OutgoingMessage | MessageOutcome
}

export async function sendDeliveries(deps: DeliveryDeps, payload: unknown, isRetry: boolean): Promise<void> {
  const settings = await deps.settings()
  const mail: Mail<MessageContent> = {
    kind: 'delivery',
    async lockSendable(tx, wanted) {
      const entries = await lockSendable(tx, wanted)
      const untold = entries.filter((entry) => isForText(deps, settings, entry))
      if (untold.length === 0) return entries
      await tellByText(tx, untold)
      return entries.map((entry) => (untold.includes(entry) ? { ...entry, dropped: 'told_by_text' } : entry))
    },
    versionFor: (message, channel, provider) => versionFor(settings, message, channel, provider),
    keyOf: (message, channel) => formatKey({ ...message, channel }),
    sinceOf: ({ issuedAt }) => issuedAt,
    compose: (_deps, claim) => compose(deps, settings, claim),
  }
  return sendMail(deps, mail, payload, isRetry)
}

// A cancellation that is due as a notification, but no provider here has its template. The card's own message had
// one.
function isForText(
  { providers }: DeliveryDeps,
  { registered }: MessageSettings,
  { state, dropped, waits, message }: Sendable & { message: MessageContent },
): boolean {
  if (message.purpose !== 'cancellation' || state.channel !== 'alimtalk' || dropped || waits) return false
  const { partnerId, purpose, language, begunWith } = message
  return !providers.some(
    ({ name, channels }) =>
      channels.includes('alimtalk') &&
      // The sandbox's own needs none.
      (name === 'simulated' || registered(name, partnerId, { purpose, language, begunWith })),
  )
}

// A text message needs no registration and uses the newest version. A message that began with one version stays with
// it.
function versionFor(
  { registered }: MessageSettings,
  message: MessageContent,
  channel: Channel,
  provider: string,
): number {
  const { partnerId, language, begunWith } = message
  const purpose = messagePurposeOf(message.purpose)
  const known =
    channel === 'alimtalk' ? registered(provider, partnerId, { purpose, language, begunWith }) : undefined
  return (known?.template ?? templateOf(purpose, language, begunWith)).version
}

// Claim and commit; send; record the outcome and commit. No transaction is open during the network call. Wherever
// this process dies, the rows say what to do next.
export async function sendMail<MessageContent>(
  deps: DeliveryDeps,
  mail: Mail<MessageContent>,
  payload: unknown,
  isRetry: boolean,
): Promise<void> {
  const work = readPayload(payload)
  const run = mail.kind === 'notice' ? deps.pace.atOnce : deps.pace.inTurn
  const { available, composed, late } = await run(async () => {
    const began = performance.now()
    const available = availableFor(deps, work.channel)
    const claimed = await claimPatiently(deps, mail, {
      ...work,
      available: available.map(({ name }) => name),
      isRetry,
      takesOver: true,
    })
    const composed = claimed.map((claim) => ({ claim, message: composeSafely(deps, mail, claim) }))
    return { available, composed, late: performance.now() - began > LEASE_MS / 3 }
  })
  const groups = Map.groupBy(composed, ({ claim }) => claim.provider)
  await Promise.all(
    [...groups].map(async ([name, group]) => {
      const provider = available.find((one) => one.name === name)!
      const answers = late ? group.map(() => TOO_LATE) : await sendAll(deps, provider, group)
      const outcomes = group.map(({ claim }, i) => ({
        id: claim.id,
        attempt: claim.attempt,
        outcome: answers[i]!,
      }))
      await deps.pace.atOnce(() => recordOutcomesWithRetry(deps, mail.kind, outcomes))
    }),
  )
}

function availableFor({ providers }: DeliveryDeps, channel: Channel): MessagingProvider[] {
  return providers.filter((one) => one.channels.includes(channel) && one.isAvailable(channel))
}

// A message of another job that makes a claim fail must not hold this one's up.
async function claimPatiently<MessageContent>(
  { database, onChange }: DeliveryDeps,
  mail: Mail<MessageContent>,
  command: ClaimCommand,
): Promise<Claimed<MessageContent>[]> {
  try {
    return await claimDeliveries(database, mail, command, onChange)
  } catch {
    return claimDeliveries(database, mail, { ...command, takesOver: false }, onChange)
  }
}

// So slow that another worker may take this attempt for lost before it is made.
const TOO_LATE: MessageOutcome = { kind: 'refused', reason: 'worker_slow', retryable: true }

// Ids only: the queue contains nothing about a person.
export function readPayload(payload: unknown): { channel: Channel; ids: bigint[]; together: boolean } {
  const { channel, ids, together } = payload as { channel?: unknown; ids?: unknown; together?: unknown }
  const known = CHANNELS.find((name) => name === channel)
  if (!known || !Array.isArray(ids)) throw new Error('a job that no release of ours has written')
  return { channel: known, ids: ids.map((id) => BigInt(id)), together: together === true }
}

interface Composed {
  message: OutgoingMessage | MessageOutcome
}

// One that cannot be read must not keep the others from leaving.
function composeSafely<MessageContent>(
  deps: DeliveryDeps,
  mail: Mail<MessageContent>,
  claim: Claimed<MessageContent>,
): Composed['message'] {
  try {
    return mail.compose(deps, claim)
  } catch (error) {
    deps.log.error('message not composed', { ...failureFields(error), stack: stackOf(error) })
    return unsendable('unreadable')
  }
}

function compose(
  deps: DeliveryDeps,
  settings: MessageSettings,
  claim: Claimed<MessageContent>,
): Composed['message'] {
  const { message, channel, attempt, provider, version } = claim
  assert(version !== null, 'every text of a card has a version')
  const vault = deps.keys.vault()
  const facts = factsOf(vault, message, version, {
    policy: policyOf(settings.policies, message.issuedOn),
    imprint: deps.imprint,
    linkCode: linkCodeOf(vault, message.number),
  })
  const known = settings.registered(provider, message.partnerId, { ...facts, begunWith: version })
  const content = composeContent(channel, facts, known ? { [provider]: known.templateId } : {})
  if (typeof content === 'string') return unsendable(content)
  const to = openRecipient(vault, message.cardId, message.recipient)
  return { key: formatKey({ ...message, channel }), attempt, to, content }
}

export const unsendable = (reason: string): MessageOutcome => ({
  kind: 'failed',
  reason,
  retryable: false,
  messageId: null,
})

// One word for each, in order: what could not be composed has its own.
async function sendAll(
  deps: DeliveryDeps,
  provider: MessagingProvider,
  group: readonly Composed[],
): Promise<MessageOutcome[]> {
  const messages = group.flatMap(({ message }) => ('key' in message ? [message] : []))
  const answers: MessageOutcome[] = []
  for (let i = 0; i < messages.length; i += provider.maxBatch) {
    const batch = messages.slice(i, i + provider.maxBatch)
    try {
      answers.push(...(await provider.send(batch)))
    } catch (error) {
      deps.log.error('provider broke', {
        reason: provider.name,
        ...failureFields(error),
        stack: stackOf(error),
      })
      answers.push(...batch.map((): MessageOutcome => ({ kind: 'unknown', reason: 'answer_unreadable' })))
    }
  }
  return group.map(({ message }) => ('key' in message ? answers.shift()! : message))
}
