import { failureFields } from '#base/db/errors.ts'
import { stackOf } from '#base/log.ts'
import { takeDueQueries } from '#flows/deliveries/query-status.ts'
import { recordOutcomesWithRetry } from '#jobs/record-outcomes.ts'
import { type DeliveryDeps, readPayload } from '#jobs/send-deliveries.ts'
import type { StatusQuery } from '#modules/deliveries/query-status.ts'
import type { MessageKind, MessageOutcome } from '#modules/deliveries/types.ts'
import type { Asked } from '#providers/messaging/port.ts'

// Asks providers about messages with an unknown outcome or a missing report.
export async function queryStatus(deps: DeliveryDeps, kind: MessageKind, payload: unknown): Promise<void> {
  const { ids } = readPayload(payload)
  const take = kind === 'notice' ? deps.pace.atOnce : deps.pace.inTurn
  const queries = await take(() => takeDueQueries(deps.database, kind, ids))
  const groups = Map.groupBy(queries, ({ provider }) => provider)
  await Promise.all(
    [...groups].map(async ([provider, group]) => {
      const answers = await queryProvider(deps, provider, group)
      const outcomes = group.map(({ id, attempt }, i) => ({ id, attempt, outcome: answers[i]! }))
      await deps.pace.atOnce(() => recordOutcomesWithRetry(deps, kind, outcomes))
    }),
  )
}

async function queryProvider(
  deps: DeliveryDeps,
  name: string,
  group: readonly StatusQuery[],
): Promise<MessageOutcome[]> {
  const provider = deps.providers.find((candidate) => candidate.name === name)
  // The provider was removed from the settings, and no other one knows.
  if (!provider) return group.map(() => ({ kind: 'unknown', reason: 'provider_gone' }))
  const asked = group.map((query) => toRequest(deps, query))
  try {
    const answers = await provider.find(asked.filter((one) => one !== undefined))
    return asked.map((one) => (one ? answers.shift()! : UNREADABLE))
  } catch (error) {
    deps.log.error('provider broke', { reason: name, ...failureFields(error), stack: stackOf(error) })
    return group.map(() => ({ kind: 'unknown', reason: 'answer_unreadable' }))
  }
}

const UNREADABLE: MessageOutcome = { kind: 'unknown', reason: 'unreadable' }

// Undefined if it cannot be read: the others are asked about all the same.
function toRequest(deps: DeliveryDeps, query: StatusQuery): Asked | undefined {
  const { key, channel, attempt, messageId, triedAt, recipient } = query
  try {
    const { sealed, table, row } = recipient
    const to = deps.keys.vault().open({ table, column: 'recipient', row }, sealed)
    return { key, attempt, channel, to, messageId, sentAt: triedAt }
  } catch (error) {
    deps.log.error('message not read', { ...failureFields(error), stack: stackOf(error) })
    return undefined
  }
}
