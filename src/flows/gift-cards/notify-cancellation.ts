import type { Tx } from '#base/db/db.ts'
import { dropUnsent, isWaiting } from '#modules/deliveries/rules.ts'
import { insertCancellations, lockDeliveriesOf, writeChanges } from '#modules/deliveries/store.ts'
import { CHANNELS, type Channel } from '#modules/deliveries/types.ts'
import { readMarks } from '#modules/restorations/store.ts'

// Runs in the transaction that cancels the card, with the card locked. Withdraws its messages that have not left, and
// writes a cancellation on each channel where one may have left. Whether it really left is checked when the
// cancellation is sent.
export async function tellOfCancellation(tx: Tx, cardId: string): Promise<void> {
  const messages = await lockDeliveriesOf(tx, cardId)
  // After a restore one that waits may have left in the lost time. It is looked at again before it would be sent.
  const isHeld = (await readMarks(tx))?.heldUntil != null
  const waiting = isHeld ? [] : messages.filter(isWaiting)
  if (waiting.length > 0) await writeChanges(tx, 'delivery', waiting.map(dropUnsent))
  const left = messages.filter((message) => !waiting.includes(message) && message.status !== 'failed')
  const channels = CHANNELS.filter((channel) => left.some((message) => message.channel === channel))
  await insertCancellations(tx, [cardId], channels)
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
