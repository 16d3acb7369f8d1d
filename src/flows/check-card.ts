import { sql } from 'kysely'
import { type VaultDeps, withVault } from '#flows/with-vault.ts'
import type { Pin } from '#modules/gift-cards/pin.ts'
import { lockCardOfPin } from '#modules/gift-cards/redemption.ts'
import { decideRedeem } from '#modules/gift-cards/rules.ts'
import type { RedeemRefusal } from '#modules/gift-cards/types.ts'

type CheckOutcome =
  | { kind: 'valid'; amount: bigint; expiresOn: string; partnerName: string }
  | { kind: 'refused'; reason: RedeemRefusal }

export type CheckCard = (pin: Pin, holderId: string) => Promise<CheckOutcome>

// What a card would bring, decided as its registration would be.
export function createCheckCard(deps: VaultDeps): CheckCard {
  return (pin, holderId) =>
    withVault(deps, async (tx, vault) => {
      const { current, next } = vault.indexes('pin', pin.reveal())
      const card = await lockCardOfPin(tx, vault.epoch, next ? [current, next] : [current])
      const decision = decideRedeem(card === 'stale_keys' ? undefined : card, holderId)
      if (!card || card === 'stale_keys' || (decision !== 'redeem' && decision !== 'again'))
        return { kind: 'refused', reason: decision as RedeemRefusal }
      const { rows } = await sql<{
        name: string
      }>`select name from partner where id = ${card.partnerId}`.execute(tx)
      return {
        kind: 'valid',
        amount: card.amount,
        expiresOn: String(card.expiresOn),
        partnerName: rows[0]!.name,
      }
    })
}
