import { voidLocked } from '#flows/gift-cards/void-card.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { insertCancelReason } from '#modules/gift-cards/cancel-reason.ts'
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

// Stands in the audit log for a partner's reason: it may name a person, and the log is never changed.
const SEALED = '(sealed)'

// The partner takes a card back that it bought. Asked again, it gets the same answer: a retry is safe.
export function createCancelCard(deps: VaultDeps): CancelCard {
  return ({ partnerId, card: identifier, reason, actor }) =>
    withVault(deps, async (tx, vault) => {
      const card = await lockCard(tx, identifier)
      if (card?.partnerId !== partnerId) return { kind: 'refused', reason: 'not_found' }
      if (card.status === 'voided') return { kind: 'cancelled', card }
      const refusal = refuseCancel(card, await findCancelTerms(tx, card.id))
      if (refusal) return { kind: 'refused', reason: refusal }
      await voidLocked(tx, card, { actor, details: { reason: SEALED } })
      await insertCancelReason(tx, vault, card.id, reason)
      return { kind: 'cancelled', card: (await findCard(tx, identifier))! }
    })
}
