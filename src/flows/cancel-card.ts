import type { Database } from '#base/db.ts'
import { voidLocked } from '#flows/void-card.ts'
import { refuseCancel } from '#modules/gift-cards/rules.ts'
import { findCancelTerms, findCard, lockCard } from '#modules/gift-cards/store.ts'
import type { CancelRefusal, Card, CardIdentifier } from '#modules/gift-cards/types.ts'

interface CancelCommand {
  partnerId: number
  card: CardIdentifier
  reason: string
  actor: string
}

type CancelOutcome = { kind: 'cancelled'; card: Card } | { kind: 'refused'; reason: CancelRefusal }

export type CancelCard = (command: CancelCommand) => Promise<CancelOutcome>

// The partner takes a card back that it bought. Asked again, it gets the same answer: a retry is safe.
export function createCancelCard(database: Database): CancelCard {
  return ({ partnerId, card: identifier, reason, actor }) =>
    database.withTransaction(async (tx) => {
      const card = await lockCard(tx, identifier)
      if (card?.partnerId !== partnerId) return { kind: 'refused', reason: 'not_found' }
      if (card.status === 'voided') return { kind: 'cancelled', card }
      const refusal = refuseCancel(card, await findCancelTerms(tx, card.id))
      if (refusal) return { kind: 'refused', reason: refusal }
      await voidLocked(tx, card, { reason, actor })
      return { kind: 'cancelled', card: (await findCard(tx, identifier))! }
    })
}
