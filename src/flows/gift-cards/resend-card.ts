import type { Database } from '#base/db/db.ts'
import { lastLostOrdinal } from '#flows/kit/lost-ordinal.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { decideResend } from '#modules/deliveries/resend.ts'
import { insertDeliveries, listSends } from '#modules/deliveries/store.ts'
import type { Channel, ResendRefusal } from '#modules/deliveries/types.ts'
import { lockCard } from '#modules/gift-cards/store.ts'
import type { Card, CardIdentifier } from '#modules/gift-cards/types.ts'
import { readMarks } from '#modules/restorations/store.ts'

interface ResendCommand {
  // Undefined: the operator, for any partner's card.
  partnerId: number | undefined
  card: CardIdentifier
  actor: string
  // An operator's reason; null if none was given. Partners give none.
  reason?: string | null
}

export type ResendOutcome =
  | { kind: 'queued'; card: Card; channels: readonly Channel[] }
  | { kind: 'refused'; reason: ResendRefusal; retryAfterSeconds?: number }

export type ResendCard = (command: ResendCommand) => Promise<ResendOutcome>

// The same message with the same PIN again. Under the card's lock, so that ten who ask at once get one message.
export function createResendCard(database: Database): ResendCard {
  return ({ partnerId, card: identifier, actor, reason }) =>
    database.withTransaction(async (tx) => {
      const card = await lockCard(tx, identifier)
      if (!card || (partnerId !== undefined && card.partnerId !== partnerId))
        return { kind: 'refused', reason: 'not_found' }
      const decision = decideResend({ status: card.status, ...(await listSends(tx, card.id)) })
      if ('reason' in decision) return { kind: 'refused', ...decision }
      const marks = await readMarks(tx)
      // Until the providers were asked what left in the lost time, one of its messages may be under way.
      if (marks?.heldUntil) return { kind: 'refused', reason: 'on_its_way' }
      const { channels } = decision
      const ordinal = Math.max(decision.ordinal, marks ? (await lastLostOrdinal(tx, card.id)) + 1 : 0)
      await insertDeliveries(
        tx,
        card.id,
        channels.map((channel) => ({ channel, purpose: 'resend', ordinal })),
      )
      const details = { channels, ...(reason === undefined ? {} : { reason }) }
      await insertAuditEntry(tx, { actor, action: 'card.resend', subject: card.id, details })
      return { kind: 'queued', card, channels }
    })
}
