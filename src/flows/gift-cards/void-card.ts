import type { Database, Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { tellOfCancellation } from '#flows/gift-cards/notify-cancellation.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import type { AuditEntry } from '#modules/audit/types.ts'
import { refuseVoid } from '#modules/gift-cards/rules.ts'
import { lockCard, markVoided } from '#modules/gift-cards/store.ts'
import type { Card, CardIdentifier, VoidRefusal } from '#modules/gift-cards/types.ts'
import { findOutstandingAccount, findReceivable, postTransfers } from '#modules/ledger/store.ts'
import { takeBackIssued } from '#modules/usage/store.ts'

export type VoidOutcome = { kind: 'voided'; card: Card } | { kind: 'refused'; reason: VoidRefusal }

export interface VoidCommand {
  card: CardIdentifier
  reason: string
  actor: string
}

// The operator takes a card back.
export function voidCard(database: Database, command: VoidCommand): Promise<VoidOutcome> {
  return database.withTransaction(async (tx) => {
    const card = await lockCard(tx, command.card)
    const refusal = refuseVoid(card)
    if (refusal || !card) return { kind: 'refused', reason: refusal ?? 'not_found' }
    const { actor, reason } = command
    await voidLocked(tx, card, { actor, details: { reason } })
    return { kind: 'voided', card }
  })
}

// Returns a card's value to the partner that bought it. The card's lock decides every race. Then come the accounts
// and the usage row, in the order of purchases. Its messages come last: no transaction that holds them waits for the
// others.
export async function voidLocked(
  tx: Tx,
  card: Card,
  { actor, details }: Pick<AuditEntry, 'actor' | 'details'>,
): Promise<void> {
  const receivable = await findReceivable(tx, card.partnerId)
  const outstanding = await findOutstandingAccount(tx)
  await postTransfers(tx, 'void', [
    {
      groupId: newId<'void'>(),
      cardId: card.id,
      debit: outstanding,
      credit: receivable.id,
      amount: card.amount,
    },
  ])
  await takeBackIssued(tx, card.partnerId, card.issuedOn, card.amount)
  await markVoided(tx, card.id)
  await tellOfCancellation(tx, card.id)
  await insertAuditEntry(tx, { actor, action: 'card.void', subject: card.id, details: details ?? {} })
}
