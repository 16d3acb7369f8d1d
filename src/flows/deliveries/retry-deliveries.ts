import type { Database, Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { lastLostOrdinal } from '#flows/kit/lost-ordinal.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import {
  countFailed,
  type DeliveryRetry,
  endRetry,
  findCardOf,
  insertRetry,
  listFailed,
  lockRetry,
  lockRunningRetry,
  type RetryFilter,
  readRetryFacts,
  writeProgress,
} from '#modules/deliveries/retries.ts'
import { decideRetry, type RetryRefusal } from '#modules/deliveries/retry.ts'
import { insertDeliveries } from '#modules/deliveries/store.ts'
import type { Channel } from '#modules/deliveries/types.ts'
import { lockCard } from '#modules/gift-cards/store.ts'
import { readMarks } from '#modules/restorations/store.ts'

interface Who {
  actor: string
  reason: string
}

type RetryOneRefusal = Refusal<RetryRefusal | 'not_found', { retryAfterSeconds?: number }>
export type RetryOneOutcome = { kind: 'queued'; cardId: string; channel: Channel } | RetryOneRefusal

// One failed message, sent again on its channel with the same PIN.
export function retryDelivery(
  database: Database,
  { id, actor, reason }: Who & { id: bigint },
): Promise<RetryOneOutcome> {
  return withOutcome<RetryOneOutcome>(database, async (tx) => {
    const cardId = await findCardOf(tx, id)
    if (cardId === undefined) return refused('not_found')
    const outcome = await retryOne(tx, { id, cardId })
    if (outcome.kind === 'refused') return outcome
    const details = { delivery: String(id), channel: outcome.channel, reason }
    await insertAuditEntry(tx, { actor, action: 'delivery.retry', subject: cardId, details })
    return outcome
  })
}

// Under the card's lock, so that whoever asks at the same moment finds this message.
async function retryOne(tx: Tx, { id, cardId }: { id: bigint; cardId: string }): Promise<RetryOneOutcome> {
  const card = await lockCard(tx, { kind: 'uuid', uuid: cardId })
  const facts = card && (await readRetryFacts(tx, card, id))
  if (!card || !facts) return refused('not_found')
  const decision = decideRetry(facts)
  if ('reason' in decision) {
    const { reason, retryAfterSeconds } = decision
    return refused(reason, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
  }
  const marks = await readMarks(tx)
  // Until the providers were asked what left in the lost time, a message of it may be under way.
  if (marks?.heldUntil) return refused('on_its_way', {})
  const { channel } = facts.message
  const lost = marks ? await lastLostOrdinal(tx, cardId) : 0
  await insertDeliveries(tx, cardId, [
    { channel, purpose: 'resend', ordinal: Math.max(decision.ordinal, lost + 1) },
  ])
  return { kind: 'queued', cardId, channel }
}

export type StartRetryOutcome =
  | { kind: 'done'; id: string; total: number }
  | Refusal<'another_runs' | 'nothing_failed'>

// Asks for many at once. The job is in the same commit as its audit entry.
export function startRetry(
  database: Database,
  { filter, actor, reason }: Who & { filter: RetryFilter },
): Promise<StartRetryOutcome> {
  return withOutcome<StartRetryOutcome>(database, async (tx) => {
    const { total, lastId } = await countFailed(tx, filter)
    if (total === 0) return refused('nothing_failed')
    const id = newId<'delivery retry'>()
    if (!(await insertRetry(tx, { ...filter, id, askedBy: actor, why: reason, total, lastId })))
      return refused('another_runs')
    const { reason: failure, ...common } = filter
    await insertAuditEntry(tx, {
      actor,
      action: 'delivery.retry_many',
      subject: id,
      details: { ...common, failure, total, reason },
    })
    return { kind: 'done', id, total }
  })
}

export type StopRetryOutcome = { kind: 'done' } | Refusal<'not_found' | 'not_running'>

// What was queued so far is sent; the rest is left alone.
export function stopRetry(
  database: Database,
  { id, actor, reason }: Who & { id: string },
): Promise<StopRetryOutcome> {
  return withOutcome<StopRetryOutcome>(database, async (tx) => {
    const retry = await lockRetry(tx, id)
    if (!retry) return refused('not_found')
    if (retry.status !== 'running') return refused('not_running')
    await endRetry(tx, id, 'stopped', actor)
    await insertAuditEntry(tx, { actor, action: 'delivery.retry_stop', subject: id, details: { reason } })
    return { kind: 'done' }
  })
}

const CHUNK = 50 // a quarter of a second under the locks of their cards

// Goes on with what was asked for, if anything: one chunk, one transaction. A process that dies here leaves the chunk undone.
export function continueRetry(
  database: Database,
  { chunk = CHUNK } = {},
): Promise<{ isOver: boolean; queued: number }> {
  return database.withTransaction(async (tx) => {
    const retry = await lockRunningRetry(tx)
    // After a restore nothing is sent before the providers were asked; the job looks again in a minute.
    if (!retry || (await readMarks(tx))?.heldUntil) return { isOver: true, queued: 0 }
    const messages = await listFailed(tx, retry, chunk)
    const { queued, skipped } = await retryAll(tx, retry, messages)
    const isOver = messages.length < chunk
    const throughId = isOver ? retry.lastId : messages.at(-1)!.id
    await writeProgress(tx, retry.id, { throughId, queued, skipped })
    if (isOver) await endRetry(tx, retry.id, 'done', 'worker')
    return { isOver, queued: queued - retry.queued }
  })
}

async function retryAll(tx: Tx, retry: DeliveryRetry, messages: readonly { id: bigint; cardId: string }[]) {
  const skipped = { ...retry.skipped }
  let { queued } = retry
  // Cards are locked in id order, as everywhere.
  for (const message of messages.toSorted((a, b) => (a.cardId < b.cardId ? -1 : 1))) {
    const outcome = await retryOne(tx, message)
    if (outcome.kind === 'queued') queued += 1
    else if (outcome.reason !== 'not_found') skipped[outcome.reason] = (skipped[outcome.reason] ?? 0) + 1
  }
  return { queued, skipped }
}
