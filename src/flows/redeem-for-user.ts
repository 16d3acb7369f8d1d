import type { Database } from '#base/db.ts'
import type { VaultKeeper } from '#base/vault.ts'
import { findNamedUser, type UserName } from '#flows/named-user.ts'
import { createRedeemGiftCard } from '#flows/redeem-gift-card.ts'
import { Refused } from '#flows/refused.ts'
import { parsePin } from '#modules/gift-cards/pin.ts'
import type { CardOfPin } from '#modules/gift-cards/types.ts'

export interface RedeemForUserCommand extends UserName {
  pin: string
}

// Sandbox only: registers a card as its recipient would, so that an integrator sees it used.
export async function redeemForUser(
  deps: { database: Database; keys: VaultKeeper },
  command: RedeemForUserCommand,
): Promise<CardOfPin> {
  const { db } = deps.database
  const { mode } = await db.selectFrom('installation').select('mode').executeTakeFirstOrThrow()
  if (mode !== 'sandbox')
    throw new Refused('cards are registered by their holders; only a sandbox has this command')
  const pin = parsePin(command.pin)
  if (!pin) throw new Refused('that is no PIN: one of its characters is wrong')
  const user = await findNamedUser(db, command)
  if (user.status !== 'active') throw new Refused(`the user is ${user.status}`)
  const redeem = createRedeemGiftCard(deps)
  const outcome = await redeem({ pin, holderId: user.confirmed ? user.memberId : user.id })
  if (outcome.kind === 'refused') throw new Refused(REFUSALS[outcome.reason])
  return outcome.card
}

// An operator of a sandbox may know why.
const REFUSALS = {
  absent: 'there is no card with that PIN',
  used: 'somebody else has used that card',
  voided: 'that card was taken back',
  expired: 'that card has expired',
} as const
