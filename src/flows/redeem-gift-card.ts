import type { Database, Tx } from '#base/db.ts'
import { Unavailable } from '#base/db-errors.ts'
import { newId } from '#base/ids.ts'
import type { Vault, VaultKeeper } from '#base/vault.ts'
import type { Pin } from '#modules/gift-cards/pin.ts'
import { lockCardOfPin, markUsed } from '#modules/gift-cards/redemption.ts'
import { decideRedeem } from '#modules/gift-cards/rules.ts'
import type { CardOfPin, RedeemRefusal } from '#modules/gift-cards/types.ts'
import { findOutstandingAccount, lockHolder, openHolding, postTransfers } from '#modules/ledger/store.ts'
import { addUsed } from '#modules/usage/store.ts'

export interface RedeemCommand {
  pin: Pin
  // Whose points it becomes: a member, or a link that its member has not confirmed.
  holderId: string
}

// A refusal's reason is for the log: to whoever typed the PIN every one of them is the same.
export type RedeemOutcome =
  | { kind: 'redeemed'; card: CardOfPin; again: boolean }
  | { kind: 'refused'; reason: RedeemRefusal }

const STALE_TRIES = 5 // a rotation changes the keys twice, seconds apart

// Turns a whole card into points, once, whoever races. The card's lock decides; then the accounts in id order, then the
// usage rows, in the order that purchases take them.
export async function redeemGiftCard(
  { database, keys }: { database: Database; keys: VaultKeeper },
  command: RedeemCommand,
): Promise<RedeemOutcome> {
  let vault = keys.vault()
  for (let tries = 1; tries <= STALE_TRIES; tries += 1) {
    const outcome = await database.withTransaction((tx) => redeem(tx, vault, command))
    if (outcome !== 'stale_keys') return outcome
    vault = await keys.refresh()
  }
  throw new Unavailable('the keys in force change faster than they can be followed')
}

async function redeem(
  tx: Tx,
  vault: Vault,
  { pin, holderId: meant }: RedeemCommand,
): Promise<RedeemOutcome | 'stale_keys'> {
  const { current, next } = vault.indexes('pin', pin.reveal())
  const card = await lockCardOfPin(tx, vault.epoch, next ? [current, next] : [current])
  if (card === 'stale_keys') return card
  const holderId = await lockHolder(tx, meant)
  const decision = decideRedeem(card, holderId)
  if (decision !== 'redeem' || !card) {
    return decision === 'again' && card
      ? { kind: 'redeemed', card, again: true }
      : { kind: 'refused', reason: decision as RedeemRefusal }
  }
  const debit = await findOutstandingAccount(tx)
  const credit = await openHolding(tx, holderId, 'KRW_POINT')
  const { id, amount } = card
  await postTransfers(tx, 'redeem', [{ groupId: newId<'redemption'>(), cardId: id, debit, credit, amount }])
  await addUsed(tx, card)
  await markUsed(tx, id, holderId)
  return { kind: 'redeemed', card, again: false }
}
