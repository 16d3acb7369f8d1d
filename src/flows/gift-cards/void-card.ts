import type { Database, Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { tellOfCancellation } from '#flows/gift-cards/notify-cancellation.ts'
import { type Refusal, refused } from '#flows/kit/outcome.ts'
import { requestChange } from '#flows/kit/request-change.ts'
import { retryDeadlocked } from '#flows/kit/retries.ts'
import { listWaitingOf } from '#modules/approvals/store.ts'
import type { ChangeRequest, Executed, Person } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import type { AuditEntry } from '#modules/audit/types.ts'
import { refuseVoid } from '#modules/gift-cards/rules.ts'
import { lockCard, markVoided } from '#modules/gift-cards/store.ts'
import type { Card, CardIdentifier, VoidRefusal } from '#modules/gift-cards/types.ts'
import { findOutstandingAccount, findReceivable, postTransfers } from '#modules/ledger/store.ts'
import { takeBackIssued } from '#modules/usage/store.ts'

export type VoidOutcome =
  | { kind: 'voided'; card: Card }
  | { kind: 'waiting'; card: Card; request: ChangeRequest }
  | { kind: 'refused'; reason: VoidRefusal }

export interface VoidCommand extends Person {
  card: CardIdentifier
  reason: string
  // From this amount on it takes two people (VOID_APPROVAL_FROM).
  approvalFrom: bigint
}

// The operator takes a card back. A small one at once, a large one when a second person approves it. Asked for again, the
// request that waits is the answer.
export function voidCard(database: Database, command: VoidCommand): Promise<VoidOutcome> {
  return retryDeadlocked(() => database.withTransaction((tx) => voidNow(tx, command)))
}

async function voidNow(
  tx: Tx,
  { card: identifier, reason, approvalFrom, ...maker }: VoidCommand,
): Promise<VoidOutcome> {
  const card = await lockCard(tx, identifier)
  const refusal = refuseVoid(card)
  if (refusal || !card) return { kind: 'refused', reason: refusal ?? 'not_found' }
  if (card.amount < approvalFrom) {
    const details = { reason, approvalFrom: approvalFrom.toString() }
    await voidLocked(tx, card, { actor: maker.actor, details })
    return { kind: 'voided', card }
  }
  const [waiting] = await listWaitingOf(tx, 'card_void', card.id)
  if (waiting) return { kind: 'waiting', card, request: waiting }
  const change = {
    action: 'card.void.request',
    kind: 'card_void',
    subject: card.id,
    payload: { amount: card.amount.toString(), status: 'voided' },
    basis: { amount: card.amount.toString(), status: card.status },
  } as const
  const { request } = await requestChange(tx, change, { ...maker, reason })
  return { kind: 'waiting', card, request }
}

// status: what became of the card since.
export type ExecuteVoidRefusal = Refusal<'card_changed', { status: VoidRefusal }>

export async function executeVoid(
  tx: Tx,
  request: ChangeRequest,
  checker: string,
): Promise<Executed | ExecuteVoidRefusal> {
  const card = await lockCard(tx, { kind: 'uuid', uuid: request.subject })
  const refusal = refuseVoid(card)
  if (refusal || !card) return refused('card_changed', { status: refusal ?? 'not_found' })
  const { maker: askedBy, reason, id } = request
  await voidLocked(tx, card, { actor: checker, details: { reason, askedBy, request: id } })
  return { kind: 'executed', payload: { amount: card.amount.toString(), status: 'voided' } }
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
  await insertAuditEntry(tx, {
    actor,
    action: 'card.void',
    subject: card.id,
    details: details ?? {},
    before: { status: card.status },
    after: { status: 'voided' },
  })
}
