import { assert } from '#base/assert.ts'
import type { Database } from '#base/db.ts'
import { failureFields } from '#base/db-errors.ts'
import { type Log, stackOf } from '#base/log.ts'
import type { VaultKeeper } from '#base/vault.ts'
import { type Claimed, claimDeliveries, type Outbox } from '#flows/deliveries/claim-deliveries.ts'
import type { NoteDeps } from '#flows/deliveries/record-answers.ts'
import { tellByText } from '#flows/gift-cards/notify-cancellation.ts'
import type { Stationery } from '#jobs/message-settings.ts'
import { noteHeard } from '#jobs/record-answers.ts'
import {
  composeContent,
  factsOf,
  type Imprint,
  type Letter,
  messagePurposeOf,
  openRecipient,
} from '#modules/deliveries/message-content.ts'
import { templateOf } from '#modules/deliveries/messages/templates.ts'
import { formatKey, LEASE_MS, MOST_TOGETHER } from '#modules/deliveries/rules.ts'
import { lockSendable } from '#modules/deliveries/sending.ts'
import { CHANNELS, type Channel, type Sendable, type Word } from '#modules/deliveries/types.ts'
import { linkCodeOf } from '#modules/gift-cards/link-code.ts'
import { policyOf } from '#modules/gift-cards/refund-policy.ts'
import type { MessagingProvider, OutgoingMessage } from '#providers/messaging/port.ts'

export interface DeliveryDeps extends NoteDeps {
  database: Database
  log: Log
  keys: VaultKeeper
  providers: readonly MessagingProvider[]
  imprint: Imprint
  stationery(): Promise<Stationery>
}

// One kind of message: its rows, and how one of them is written out.
export interface Mail<Letter> extends Outbox<Letter> {
  compose(deps: DeliveryDeps, claim: Claimed<Letter>): OutgoingMessage | Word
}

export async function sendDeliveries(deps: DeliveryDeps, payload: unknown): Promise<void> {
  const stationery = await deps.stationery()
  const mail: Mail<Letter> = {
    kind: 'delivery',
    async lockSendable(tx, wanted) {
      const entries = await lockSendable(tx, wanted)
      const untold = entries.filter((entry) => isForText(deps, stationery, entry))
      if (untold.length === 0) return entries
      await tellByText(tx, untold)
      return entries.map((entry) => (untold.includes(entry) ? { ...entry, dropped: 'told_by_text' } : entry))
    },
    versionFor: (letter, channel, route) => versionFor(stationery, letter, channel, route),
    compose: (_deps, claim) => compose(deps, stationery, claim),
  }
  return sendMail(deps, mail, payload)
}

// A cancellation that is due as a notification, whose template nobody here has registered: the card's own had one.
function isForText(
  { providers }: DeliveryDeps,
  { registered }: Stationery,
  { state, dropped, waits, letter }: Sendable & { letter: Letter },
): boolean {
  if (letter.purpose !== 'cancellation' || state.channel !== 'alimtalk' || dropped || waits) return false
  const { partnerId, purpose, language, begunWith } = letter
  return !providers.some(
    ({ name, channels }) =>
      channels.includes('alimtalk') &&
      // The sandbox's own needs none.
      (name === 'simulated' || registered(name, partnerId, { purpose, language, begunWith })),
  )
}

// A text that nobody has to register is the newest. Whatever was begun with one version goes on with it.
function versionFor({ registered }: Stationery, letter: Letter, channel: Channel, route: string): number {
  const { partnerId, language, begunWith } = letter
  const purpose = messagePurposeOf(letter.purpose)
  const known =
    channel === 'alimtalk' ? registered(route, partnerId, { purpose, language, begunWith }) : undefined
  return (known?.template ?? templateOf(purpose, language, begunWith)).version
}

// Claim, commit; send; note what came of it, commit. Nothing is open while the network is spoken to, and wherever this
// process dies, somebody finds from the rows what to do next.
export async function sendMail<Letter>(
  deps: DeliveryDeps,
  mail: Mail<Letter>,
  payload: unknown,
): Promise<void> {
  const { channel, ids } = readPayload(payload)
  const available = deps.providers.filter((p) => p.channels.includes(channel) && p.isAvailable(channel))
  const began = performance.now()
  const claimed = await claimDeliveries(
    deps.database,
    mail,
    { channel, ids, available: available.map(({ name }) => name), max: MOST_TOGETHER },
    deps.onChange,
  )
  if (claimed.length === 0) return
  const letters = claimed.map((claim) => ({ claim, message: composeSafely(deps, mail, claim) }))
  const late = performance.now() - began > LEASE_MS / 3
  const groups = Map.groupBy(letters, ({ claim }) => claim.route)
  await Promise.all(
    [...groups].map(async ([route, group]) => {
      const provider = available.find(({ name }) => name === route)!
      const words = late ? group.map(() => TOO_LATE) : await sendAll(deps, provider, group)
      const heard = group.map(({ claim }, i) => ({ id: claim.id, attempt: claim.attempt, word: words[i]! }))
      await noteHeard(deps, mail.kind, heard)
    }),
  )
}

// So slow that somebody may take this attempt for lost before it is made.
const TOO_LATE: Word = { kind: 'refused', reason: 'worker_slow', retryable: true }

// Ids and nothing else: whoever reads the queue learns nothing about anyone.
export function readPayload(payload: unknown): { channel: Channel; ids: bigint[] } {
  const { channel, ids } = payload as { channel?: unknown; ids?: unknown }
  const known = CHANNELS.find((name) => name === channel)
  if (!known || !Array.isArray(ids)) throw new Error('a job that no release of ours has written')
  return { channel: known, ids: ids.map((id) => BigInt(id)) }
}

interface Composed {
  message: OutgoingMessage | Word
}

// One that cannot be read must not keep the others from leaving.
function composeSafely<Letter>(
  deps: DeliveryDeps,
  mail: Mail<Letter>,
  claim: Claimed<Letter>,
): Composed['message'] {
  try {
    return mail.compose(deps, claim)
  } catch (error) {
    deps.log.error('message not composed', { ...failureFields(error), stack: stackOf(error) })
    return unsendable('unreadable')
  }
}

function compose(deps: DeliveryDeps, stationery: Stationery, claim: Claimed<Letter>): Composed['message'] {
  const { letter, channel, attempt, route, version } = claim
  assert(version !== null, 'every text of a card has a version')
  const vault = deps.keys.vault()
  const facts = factsOf(vault, letter, version, {
    policy: policyOf(stationery.policies, letter.issuedOn),
    imprint: deps.imprint,
    linkCode: linkCodeOf(vault, letter.number),
  })
  const known = stationery.registered(route, letter.partnerId, { ...facts, begunWith: version })
  const content = composeContent(channel, facts, known ? { [route]: known.templateId } : {})
  if (typeof content === 'string') return unsendable(content)
  const to = openRecipient(vault, letter.cardId, letter.recipient)
  return { key: formatKey({ ...letter, channel }), attempt, to, content }
}

export const unsendable = (reason: string): Word => ({
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
): Promise<Word[]> {
  const messages = group.flatMap(({ message }) => ('key' in message ? [message] : []))
  const answers: Word[] = []
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
      answers.push(...batch.map((): Word => ({ kind: 'unknown', reason: 'answer_unreadable' })))
    }
  }
  return group.map(({ message }) => ('key' in message ? answers.shift()! : message))
}
