import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { describeMembers, type MemberLine, membersOfHolders } from '#flows/members/describe-members.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { findCardByPin, findCardsByRecipient } from '#modules/gift-cards/find.ts'
import { keptPinHash, type Pin } from '#modules/gift-cards/pin.ts'
import type { Card } from '#modules/gift-cards/types.ts'

// Who redeemed a card, masked.
export async function findRedeemers(
  { database, keys }: VaultDeps,
  cards: readonly Card[],
): Promise<Map<string, MemberLine>> {
  const holders = cards.flatMap(({ usedBy }) => usedBy ?? [])
  const members = await membersOfHolders(database.db, holders)
  const lines = await describeMembers(database.db, keys.vault(), [...new Set(members.values())])
  return new Map(
    cards.flatMap(({ id, usedBy }) => {
      const line = usedBy === null ? undefined : lines.get(members.get(usedBy)!)
      return line ? [[id, line] as const] : []
    }),
  )
}

// The newest cards that went to a number. The search is in the audit log before its result is seen; the number is not.
export function findCardsOfPhone(
  deps: VaultDeps,
  { e164, actor }: { e164: string; actor: string },
): Promise<Card[]> {
  return withVault(deps, async (tx, vault) => {
    const { current, next } = vault.indexes('phone', e164)
    const cards = await findCardsByRecipient(tx, next ? [current, next] : [current])
    const details = { by: 'phone', found: cards.length, cards: cards.map(({ id }) => id) }
    await insertAuditEntry(tx, { actor, action: 'card.find', subject: 'recipient', details })
    return cards
  })
}

// As redeeming it would find it: a used one for thirty days, and until the keys change.
export function findCardOfPin(
  deps: VaultDeps,
  { pin, actor }: { pin: Pin; actor: string },
): Promise<Card | undefined> {
  return withVault(deps, async (tx, vault) => {
    const { current, next } = vault.indexes('pin', pin.reveal())
    const card = await findCardByPin(tx, { current, next, kept: keptPinHash(vault, pin.reveal()) })
    const details = { by: 'pin', found: card ? 1 : 0 }
    await insertAuditEntry(tx, { actor, action: 'card.find', subject: card?.id ?? 'nobody', details })
    return card
  })
}
