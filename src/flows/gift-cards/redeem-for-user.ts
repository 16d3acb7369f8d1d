import { sql } from 'kysely'
import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import { seoulDate } from '#base/time/seoul-time.ts'
import { createRedeemGiftCard } from '#flows/gift-cards/redeem-gift-card.ts'
import { type Refusal, refused } from '#flows/kit/outcome.ts'
import { detailsOf, isKnownUnder14 } from '#flows/partner-users/known-age.ts'
import { findNamedUser, type NoUser, type UserName } from '#flows/partner-users/named-user.ts'
import { findOpenAccount } from '#modules/accounts/store.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { parsePin } from '#modules/gift-cards/pin.ts'
import type { CardOfPin, RedeemRefusal } from '#modules/gift-cards/types.ts'
import type { PartnerUser } from '#modules/members/types.ts'

export interface RedeemForUserCommand extends UserName {
  pin: string
  actor: string
}

export type RedeemForUserRefusal =
  | NoUser
  | Refusal<'sandbox_only' | 'pin_invalid' | 'under_14'>
  | Refusal<'user_not_active', { status: PartnerUser['status'] }>
  // An operator of a sandbox may know why.
  | Refusal<RedeemRefusal>

type RedeemForUserOutcome = { kind: 'done'; card: CardOfPin } | RedeemForUserRefusal

// Sandbox only: registers a card as its recipient would, so that an integrator sees it used.
export async function redeemForUser(
  deps: { database: Database; keys: VaultKeeper },
  command: RedeemForUserCommand,
): Promise<RedeemForUserOutcome> {
  const { db } = deps.database
  const { mode, now } = await db
    .selectFrom('installation')
    .select(['mode', sql<Temporal.Instant>`service_now()`.as('now')])
    .executeTakeFirstOrThrow()
  if (mode !== 'sandbox') return refused('sandbox_only')
  const pin = parsePin(command.pin)
  if (!pin) return refused('pin_invalid')
  const named = await findNamedUser(db, command)
  if (named.kind === 'refused') return named
  const { user } = named
  if (user.status !== 'active') return refused('user_not_active', { status: user.status })
  const account = user.confirmed ? await findOpenAccount(db, user.memberId) : undefined
  const vault = deps.keys.vault()
  const told = {
    account: account?.details
      ? detailsOf(vault, 'member_account', { id: account.id, details: account.details })
      : undefined,
    link: detailsOf(vault, 'partner_user', user),
  }
  if (isKnownUnder14(told, seoulDate(now))) return refused('under_14')
  const redeem = createRedeemGiftCard(deps)
  const outcome = await redeem({ pin, holderId: user.holderId })
  if (outcome.kind === 'refused') return outcome
  // After the batch that the card was used in: cut off here, the ledger has the redemption and the log lacks who caused it.
  await deps.database.withTransaction((tx) =>
    insertAuditEntry(tx, {
      actor: command.actor,
      action: 'user.redeem',
      subject: user.id,
      details: { card: outcome.card.id },
      before: { card: 'issued' },
      after: { card: 'used' },
    }),
  )
  return { kind: 'done', card: outcome.card }
}
