import type { Tx } from '#base/db/db.ts'
import { dropUnsent, isWaiting } from '#modules/deliveries/rules.ts'
import { insertCancellations, lockDeliveriesOf, writeChanges } from '#modules/deliveries/store.ts'
import { CHANNELS, type Channel, type DeliveryState } from '#modules/deliveries/types.ts'
import { readMarks } from '#modules/restorations/store.ts'

// Runs in the transaction that cancels the card, with the card locked. Withdraws its messages that have not left, and
// writes a cancellation on each channel where one may have left. Whether it really left is checked when the
// cancellation is sent.
export async function tellOfCancellation(tx: Tx, cardId: string): Promise<void> {
  const messages = await lockDeliveriesOf(tx, cardId)
  const { waiting, channels } = planCancellation(messages, (await readMarks(tx))?.heldUntil != null)
  if (waiting.length > 0) await writeChanges(tx, 'delivery', waiting.map(dropUnsent))
  await insertCancellations(tx, [cardId], channels)
}

// The messages to withdraw, and the channels on which to tell the recipient. isHeld: after a restore one that waits may
// have left in the lost time. It is looked at again before it would be sent.
export function planCancellation(
  messages: readonly DeliveryState[],
  isHeld: boolean,
): { waiting: DeliveryState[]; channels: Channel[] } {
  const waiting = isHeld ? [] : messages.filter(isWaiting)
  const left = messages.filter((message) => !waiting.includes(message) && message.status !== 'failed')
  return {
    waiting,
    channels: CHANNELS.filter((channel) => left.some((message) => message.channel === channel)),
  }
}

interface Notification {
  message: { cardId: string }
}

// If no provider has the template, only a text tells the recipient: written here, unless there is one already.
export async function tellByText(tx: Tx, notifications: readonly Notification[]): Promise<void> {
  const text: Channel[] = ['text']
  const cards = notifications.map(({ message }) => message.cardId)
  await insertCancellations(tx, cards, text)
}
