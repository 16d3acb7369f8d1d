import { sql } from 'kysely'
import type { Database } from '#base/db.ts'
import { seoulDate } from '#base/seoul-time.ts'
import type { VaultKeeper } from '#base/vault.ts'
import { createRedeemGiftCard } from '#flows/gift-cards/redeem-gift-card.ts'
import { Refused } from '#flows/kit/refused.ts'
import { isKnownUnder14 } from '#flows/partner-users/known-age.ts'
import { findNamedUser, type UserName } from '#flows/partner-users/named-user.ts'
import { findOpenAccount } from '#modules/accounts/store.ts'
import { parsePin } from '#modules/gift-cards/pin.ts'
import type { CardOfPin } from '#modules/gift-cards/types.ts'

export interface RedeemForUserCommand extends UserName {
  pin: string
  // Whom someone under 14 can ask.
  contact: string
}

// Sandbox only: registers a card as its recipient would, so that an integrator sees it used.
export async function redeemForUser(
  deps: { database: Database; keys: VaultKeeper },
  command: RedeemForUserCommand,
): Promise<CardOfPin> {
  const { db } = deps.database
  const { mode, now } = await db
    .selectFrom('installation')
    .select(['mode', sql<Temporal.Instant>`service_now()`.as('now')])
    .executeTakeFirstOrThrow()
  if (mode !== 'sandbox')
    throw new Refused('cards are registered by their holders; only a sandbox has this command')
  const pin = parsePin(command.pin)
  if (!pin) throw new Refused('that is no PIN: one of its characters is wrong')
  const user = await findNamedUser(db, command)
  if (user.status !== 'active') throw new Refused(`the user is ${user.status}`)
  const account = user.confirmed ? await findOpenAccount(db, user.memberId) : undefined
  const verified = account?.details ? { id: account.id, details: account.details } : undefined
  if (isKnownUnder14(deps.keys.vault(), { account: verified, link: user }, seoulDate(now)))
    throw new Refused(`the user is under 14 and cannot register cards yet. Contact: ${command.contact}`)
  const redeem = createRedeemGiftCard(deps)
  const outcome = await redeem({ pin, holderId: user.holderId })
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
