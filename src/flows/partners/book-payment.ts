import type { Database, Tx } from '#base/db/db.ts'
import { type NoPartner, type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { requestChange } from '#flows/kit/request-change.ts'
import { listWaitingOf } from '#modules/approvals/store.ts'
import type { ChangeRequest, Executed, Person } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { findHouseAccount, findReceivable, lockBalances, postTransfers } from '#modules/ledger/store.ts'
import { lockPartner } from '#modules/partners/store.ts'
import type { Partner } from '#modules/partners/types.ts'
import { decidePayment, toReference } from '#modules/payments/rules.ts'
import { findPayment, insertPayment, markReversed } from '#modules/payments/store.ts'
import type { Payment, PaymentRefusal } from '#modules/payments/types.ts'

// A partner's payment, and the reversal of a wrong one. One person asks, and the approval of another carries it out.
// Locks: the request, the partner, then the two accounts in id order, as purchases take them. No purchase takes the
// partner's own lock.

interface Named extends Person {
  code: string
  reference: string
  reason: string
}

// booked: the same command was approved before. A retry changes nothing and gets the first answer.
export type PaymentOutcome =
  | { kind: 'waiting'; request: ChangeRequest }
  | { kind: 'booked' | 'reversed'; payment: Payment }
  | RequestRefusal

// What is wrong with the payment itself. owed: what the partner owes now.
type BookRefusal = Refusal<PaymentRefusal, { partner: string; owed: bigint; reference: string }>
// Cards were bought on the payment: without it the partner would owe more than its limit.
type SpentRefusal = Refusal<'payment_spent', { partner: string; owedWithout: bigint; creditLimit: bigint }>

export type RequestRefusal =
  | NoPartner
  | Refusal<'reference_invalid'>
  | Refusal<'payment_not_found', { partner: string; reference: string }>
  | BookRefusal
  | SpentRefusal
export type ExecutePaymentRefusal = NoPartner | BookRefusal | Refusal<'already_booked', { reference: string }>
export type ExecuteReversalRefusal = NoPartner | Refusal<'payment_changed'> | SpentRefusal

export function requestPayment(
  database: Database,
  { won, prepay, ...named }: Named & { won: bigint; prepay: boolean },
): Promise<PaymentOutcome> {
  return aboutPayment(database, named, async (tx, partner, reference) => {
    const { code, owed } = partner
    const booked = await findPayment(tx, partner.id, reference)
    const waiting = await findWaiting(tx, 'payment', code, reference)
    const amounts = waiting && { amount: BigInt(waiting.payload.won as string) }
    const decision = decidePayment({ won, prepay, owed, booked, waiting: amounts })
    if (decision.kind === 'refused') return refused(decision.reason, { partner: code, owed, reference })
    if (decision.kind === 'booked') return { kind: 'booked', payment: booked! }
    if (decision.kind === 'waiting') return { kind: 'waiting', request: waiting! }
    const change = {
      action: 'partner.payment.request',
      kind: 'payment',
      subject: code,
      payload: { won: won.toString(), reference, prepay },
      basis: { owed: owed.toString() },
    } as const
    return requestChange(tx, change, named)
  })
}

// Under the partner's lock, so that of two requests for one reference the second finds the first.
async function aboutPayment(
  database: Database,
  { code, reference: typed }: Named,
  work: (tx: Tx, partner: Partner, reference: string) => Promise<PaymentOutcome>,
): Promise<PaymentOutcome> {
  const reference = toReference(typed)
  if (reference === undefined) return refused('reference_invalid')
  return withOutcome(database, async (tx) => {
    const partner = await lockPartner(tx, code)
    return partner ? work(tx, partner, reference) : refused('partner_not_found', { partner: code })
  })
}

// The debt may have changed since the request, so every rule is checked again.
export async function executePayment(
  tx: Tx,
  request: ChangeRequest,
  checker: string,
): Promise<Executed | ExecutePaymentRefusal> {
  const code = request.subject
  const {
    won: text,
    reference,
    prepay,
  } = request.payload as { won: string; reference: string; prepay: boolean }
  const won = BigInt(text)
  const partner = await lockPartner(tx, code)
  if (!partner) return refused('partner_not_found', { partner: code })
  const { id: partnerId } = partner
  // Two requests for one reference may both have waited. The first approval books it, and the second one ends here.
  const booked = await findPayment(tx, partnerId, reference)
  const { receivable, settlement, owed } = await lockAccounts(tx, partnerId)
  const decision = decidePayment({ won, prepay, owed, booked, waiting: undefined })
  if (decision.kind === 'refused') return refused(decision.reason, { partner: code, owed, reference })
  if (decision.kind !== 'new') return refused('already_booked', { reference })
  // Under the request's own id: an approval that is run again could not insert it twice.
  await insertPayment(tx, { id: request.id, partnerId, reference, amount: won })
  await postTransfers(tx, 'partner_payment', [
    { groupId: request.id, cardId: null, debit: settlement, credit: receivable, amount: won },
  ])
  await insertAuditEntry(tx, {
    actor: checker,
    action: 'partner.payment',
    subject: code,
    details: {
      won: text,
      reference,
      prepay,
      reason: request.reason,
      askedBy: request.maker,
      request: request.id,
    },
    before: { owed: owed.toString() },
    after: { owed: (owed - won).toString() },
  })
  return { kind: 'executed', payload: { won: won.toString(), reference, prepay } }
}

export function requestReversal(database: Database, named: Named): Promise<PaymentOutcome> {
  return aboutPayment(database, named, async (tx, partner, reference) => {
    const { code } = partner
    const payment = await findPayment(tx, partner.id, reference)
    if (!payment) return refused('payment_not_found', { partner: code, reference })
    if (payment.reversedAt) return { kind: 'reversed', payment }
    const waiting = await findWaiting(tx, 'payment_reversal', code, payment.reference)
    if (waiting) return { kind: 'waiting', request: waiting }
    const spent = refuseSpent(partner, payment)
    if (spent) return spent
    const change = {
      action: 'partner.payment.reversal.request',
      kind: 'payment_reversal',
      subject: code,
      payload: { won: payment.amount.toString(), reference: payment.reference },
      basis: { payment: payment.id },
    } as const
    return requestChange(tx, change, named)
  })
}

export async function executeReversal(
  tx: Tx,
  request: ChangeRequest,
  checker: string,
): Promise<Executed | ExecuteReversalRefusal> {
  const code = request.subject
  // What the second person saw is what is reversed. A payment that was reversed and booked anew meanwhile
  // is another one.
  const { won, reference } = request.payload as { won: string; reference: string }
  const partner = await lockPartner(tx, code)
  if (!partner) return refused('partner_not_found', { partner: code })
  const payment = await findPayment(tx, partner.id, reference)
  if (payment?.amount.toString() !== won || payment.id !== request.basis.payment || payment.reversedAt) {
    return refused('payment_changed')
  }
  const { receivable, settlement, owed } = await lockAccounts(tx, partner.id)
  const spent = refuseSpent({ ...partner, owed }, payment)
  if (spent) return spent
  await markReversed(tx, payment.id, request.id)
  await postTransfers(tx, 'partner_payment_back', [
    { groupId: payment.id, cardId: null, debit: receivable, credit: settlement, amount: payment.amount },
  ])
  await insertAuditEntry(tx, {
    actor: checker,
    action: 'partner.payment.reversal',
    subject: code,
    details: { won, reference, reason: request.reason, askedBy: request.maker, request: request.id },
    before: { owed: owed.toString() },
    after: { owed: (owed + payment.amount).toString() },
  })
  return { kind: 'executed', payload: { won: payment.amount.toString(), reference: payment.reference } }
}

async function findWaiting(
  tx: Tx,
  kind: 'payment' | 'payment_reversal',
  code: string,
  reference: string,
): Promise<ChangeRequest | undefined> {
  const same = (one: ChangeRequest) =>
    (one.payload.reference as string).toLowerCase() === reference.toLowerCase()
  return (await listWaitingOf(tx, kind, code)).find(same)
}

async function lockAccounts(tx: Tx, partnerId: number) {
  const { id: receivable } = await findReceivable(tx, partnerId)
  const settlement = await findHouseAccount(tx, 'partner_settlement', 'KRW_POINT')
  const balances = await lockBalances(tx, [receivable, settlement])
  return { receivable, settlement, owed: -balances.get(receivable)! }
}

// The database would refuse it too, and would not say what to do.
function refuseSpent({ code, owed, creditLimit }: Partner, { amount }: Payment): SpentRefusal | undefined {
  const owedWithout = owed + amount
  return owedWithout <= creditLimit
    ? undefined
    : refused('payment_spent', { partner: code, owedWithout, creditLimit })
}
