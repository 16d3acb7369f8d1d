import { failureFields } from '#base/db-errors.ts'
import { stackOf } from '#base/log.ts'
import { takeDueQuestions } from '#flows/ask-about-deliveries.ts'
import { noteHeard } from '#jobs/note-heard.ts'
import { type DeliveryDeps, readPayload } from '#jobs/send-deliveries.ts'
import { openRecipient } from '#modules/deliveries/letters.ts'
import type { Question } from '#modules/deliveries/questions.ts'
import { formatKey } from '#modules/deliveries/rules.ts'
import type { Word } from '#modules/deliveries/types.ts'
import type { Asked } from '#providers/messaging/port.ts'

// What became of messages whose outcome is not known, and of those nobody has reported on.
export async function askDeliveries(deps: DeliveryDeps, payload: unknown): Promise<void> {
  const questions = await takeDueQuestions(deps.database, readPayload(payload).ids)
  const groups = Map.groupBy(questions, ({ provider }) => provider)
  await Promise.all(
    [...groups].map(async ([provider, group]) => {
      const words = await ask(deps, provider, group)
      const heard = group.map(({ id, attempt }, i) => ({ id, attempt, word: words[i]! }))
      await noteHeard(deps, heard)
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
  const { key, attempt, messageId, triedAt, recipient } = question
  try {
    const to = openRecipient(deps.keys.vault(), key.cardId, recipient)
    return { key: formatKey(key), attempt, channel: key.channel, to, messageId, sentAt: triedAt }
  } catch (error) {
    deps.log.error('message not read', { ...failureFields(error), stack: stackOf(error) })
    return undefined
  }
}
