import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { type ExtendOutcome, extendLocked } from '#flows/refunds/move-last-day.ts'
import type { Pin } from '#modules/gift-cards/pin.ts'
import { lockCardOfPin } from '#modules/gift-cards/store.ts'

export type ExtendOwnCard = (command: { pin: Pin; holderId: string }) => Promise<ExtendOutcome>

// The person who has the PIN asks for the one extension. `card_extension` records who it was; the audit log is for staff.
export function createExtendOwnCard(deps: VaultDeps): ExtendOwnCard {
  return ({ pin, holderId }) =>
    withVault(deps, async (tx, vault) =>
      extendLocked(tx, await lockCardOfPin(tx, vault.indexes('pin', pin.reveal())), holderId),
    )
}
