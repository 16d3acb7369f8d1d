import { failureFields } from '#base/db-errors.ts'
import { stackOf } from '#base/log.ts'
import { takeDueQuestions } from '#flows/deliveries/query-status.ts'
import { noteHeard } from '#jobs/record-answers.ts'
import { type DeliveryDeps, readPayload } from '#jobs/send-deliveries.ts'
import type { Question } from '#modules/deliveries/status-queries.ts'
import type { MessageKind, Word } from '#modules/deliveries/types.ts'
import type { Asked } from '#providers/messaging/port.ts'

// What became of messages whose outcome is not known, and of those nobody has reported on.
export async function askDeliveries(deps: DeliveryDeps, kind: MessageKind, payload: unknown): Promise<void> {
  const questions = await takeDueQuestions(deps.database, kind, readPayload(payload).ids)
  const groups = Map.groupBy(questions, ({ provider }) => provider)
  await Promise.all(
    [...groups].map(async ([provider, group]) => {
      const words = await ask(deps, provider, group)
      const heard = group.map(({ id, attempt }, i) => ({ id, attempt, word: words[i]! }))
      await noteHeard(deps, kind, heard)
    }),
  )
}

async function ask(deps: DeliveryDeps, name: string, group: readonly Question[]): Promise<Word[]> {
  const provider = deps.providers.find((candidate) => candidate.name === name)
  // Taken out of the settings since: nobody else knows.
  if (!provider) return group.map(() => ({ kind: 'unknown', reason: 'provider_gone' }))
  const asked = group.map((question) => writeQuestion(deps, question))
  try {
    const answers = await provider.find(asked.filter((one) => one !== undefined))
    return asked.map((one) => (one ? answers.shift()! : UNREADABLE))
  } catch (error) {
    deps.log.error('provider broke', { reason: name, ...failureFields(error), stack: stackOf(error) })
    return group.map(() => ({ kind: 'unknown', reason: 'answer_unreadable' }))
  }
}

const UNREADABLE: Word = { kind: 'unknown', reason: 'unreadable' }

// Undefined if it cannot be read: the others are asked about all the same.
function writeQuestion(deps: DeliveryDeps, question: Question): Asked | undefined {
  const { key, channel, attempt, messageId, triedAt, recipient } = question
  try {
    const { sealed, table, row } = recipient
    const to = deps.keys.vault().open({ table, column: 'recipient', row }, sealed)
    return { key, attempt, channel, to, messageId, sentAt: triedAt }
  } catch (error) {
    deps.log.error('message not read', { ...failureFields(error), stack: stackOf(error) })
    return undefined
  }
}
