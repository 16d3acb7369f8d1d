import { failureFields } from '#base/db-errors.ts'
import { stackOf } from '#base/log.ts'
import { takeDueQuestions } from '#flows/ask-about-deliveries.ts'
import { noteDeliveries } from '#flows/note-deliveries.ts'
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
      await noteDeliveries(deps, heard)
    }),
  )
}

async function ask(deps: DeliveryDeps, name: string, group: readonly Question[]): Promise<Word[]> {
  const provider = deps.providers.find((candidate) => candidate.name === name)
  // Taken out of the settings since: nobody else knows.
  if (!provider) return group.map(() => ({ kind: 'unknown', reason: 'provider_gone' }))
  const vault = deps.keys.vault()
  const asked = group.map(
    ({ key, attempt, messageId, triedAt, recipient }): Asked => ({
      key: formatKey(key),
      attempt,
      channel: key.channel,
      to: openRecipient(vault, key.cardId, recipient),
      messageId,
      sentAt: triedAt,
    }),
  )
  try {
    return await provider.find(asked)
  } catch (error) {
    deps.log.error('provider broke', { reason: name, ...failureFields(error), stack: stackOf(error) })
    return group.map(() => ({ kind: 'unknown', reason: 'answer_unreadable' }))
  }
}
