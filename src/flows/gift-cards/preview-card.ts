import type { Db } from '#base/db/db.ts'
import { planCancellation } from '#flows/gift-cards/notify-cancellation.ts'
import { decideResend } from '#modules/deliveries/resend.ts'
import { listDeliveriesOf, listSends } from '#modules/deliveries/store.ts'
import type { Channel, ResendRefusal } from '#modules/deliveries/types.ts'
import { refuseVoid } from '#modules/gift-cards/rules.ts'
import { findCard } from '#modules/gift-cards/store.ts'
import type { Card, CardIdentifier, VoidRefusal } from '#modules/gift-cards/types.ts'
import { findReceivable } from '#modules/ledger/store.ts'
import { readMarks } from '#modules/restorations/store.ts'

// What an act on a card would do, by the rules that the act goes by. The act decides again, under the card's lock.

export type VoidPreview =
  | { kind: 'refused'; reason: VoidRefusal }
  | {
      kind: 'possible'
      card: Card
      // What the partner owes now, and would owe then.
      owed: bigint
      owedAfter: bigint
      // Messages that have not left and would be withdrawn.
      withdrawn: number
      // Where the recipient would be told that the card is gone.
      told: readonly Channel[]
    }

export async function previewVoid(db: Db, identifier: CardIdentifier): Promise<VoidPreview> {
  const card = await findCard(db, identifier)
  const refusal = refuseVoid(card)
  if (refusal || !card) return { kind: 'refused', reason: refusal ?? 'not_found' }
  const owed = -(await findReceivable(db, card.partnerId)).balance
  const isHeld = (await readMarks(db))?.heldUntil != null
  const { waiting, channels } = planCancellation(await listDeliveriesOf(db, card.id), isHeld)
  return {
    kind: 'possible',
    card,
    owed,
    owedAfter: owed - card.amount,
    withdrawn: waiting.length,
    told: channels,
  }
}

export type ResendPreview =
  | { kind: 'refused'; reason: ResendRefusal; retryAfterSeconds?: number }
  | { kind: 'possible'; card: Card; channels: readonly Channel[] }

export async function previewResend(db: Db, identifier: CardIdentifier): Promise<ResendPreview> {
  const card = await findCard(db, identifier)
  if (!card) return { kind: 'refused', reason: 'not_found' }
  const decision = decideResend({ status: card.status, ...(await listSends(db, card.id)) })
  if ('reason' in decision) return { kind: 'refused', ...decision }
  if ((await readMarks(db))?.heldUntil) return { kind: 'refused', reason: 'on_its_way' }
  return { kind: 'possible', card, channels: decision.channels }
}
