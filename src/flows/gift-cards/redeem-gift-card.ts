import type { Vault, VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import type { BatchMetrics } from '#base/metrics.ts'
import type { GiftCardMetrics } from '#flows/gift-cards/metrics.ts'
import { createSealedWrite } from '#flows/kit/sealed-write.ts'
import { keptPinHash, type Pin } from '#modules/gift-cards/pin.ts'
import { type HashedPin, redeemCards } from '#modules/gift-cards/store.ts'
import type { RedeemOutcome } from '#modules/gift-cards/types.ts'

interface RedeemCommand {
  pin: Pin
  // Whose points it becomes: a member, or a link that its member has not confirmed.
  holderId: string
}

interface RedeemDeps {
  database: Database
  keys: VaultKeeper
  // A command of the command line counts nothing.
  metrics?: BatchMetrics & GiftCardMetrics
}

export type RedeemGiftCard = (command: RedeemCommand) => Promise<RedeemOutcome>

const MAX_BATCH = 64
const MAX_WAITING = 2_000 // a second's work
const MAX_ALIKE = 60 // of one PIN, one to a batch, so that a flood of one PIN does not delay the others

// Turns a whole card into points, once. The card's lock decides every race (db/functions/redeem_gift_cards.sql).
// Killed before the commit, nothing was done; after it, the same holder's retry gets the same success.
export function createRedeemGiftCard(deps: RedeemDeps): RedeemGiftCard {
  const { database, keys, metrics } = deps
  const write = createSealedWrite<RedeemCommand, HashedPin, RedeemOutcome>({
    name: 'redeem',
    metrics,
    keys,
    seal: hashPin,
    write: (epoch, hashed) => redeemCards(database, epoch, hashed),
    maxSize: MAX_BATCH,
    maxInFlight: 2,
    overlapFrom: 16,
    maxWaiting: MAX_WAITING,
    apartKey: ({ command }) => command.pin.reveal(),
    maxAlike: MAX_ALIKE,
  })
  return async (command) => {
    const outcome = await write(command)
    metrics?.redemptions.inc({ outcome: outcomeName(outcome) })
    return outcome
  }
}

function outcomeName(outcome: RedeemOutcome): string {
  if (outcome.kind === 'refused') return outcome.reason
  return outcome.again ? 'again' : 'redeemed'
}

function hashPin(vault: Vault, { pin, holderId }: RedeemCommand): HashedPin & { epoch: number } {
  return {
    epoch: vault.epoch,
    ...vault.indexes('pin', pin.reveal()),
    kept: keptPinHash(vault, pin.reveal()),
    holderId,
    groupId: newId<'redemption'>(),
  }
}
