import type { Database, Tx } from '#base/db.ts'
import { formatWon } from '#base/money.ts'
import { type Origin, originText } from '#base/origin.ts'
import { Refused } from '#flows/kit/refused.ts'
import { insertRequest, listWaitingOf } from '#modules/approvals/store.ts'
import type { ChangeRequest, Payload } from '#modules/approvals/types.ts'
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

interface Named {
  code: string
  reference: string
  actor: string
  origin?: Origin
  reason: string
}

// booked: the same command was approved before. A retry changes nothing and gets the first answer.
export type PaymentOutcome =
  | { kind: 'waiting'; request: ChangeRequest }
  | { kind: 'booked' | 'reversed'; payment: Payment }

export function requestPayment(
  database: Database,
  { code, reference: typed, won, prepay, actor, origin, reason }: Named & { won: bigint; prepay: boolean },
): Promise<PaymentOutcome> {
  const reference = readReference(typed)
  return database.withTransaction(async (tx) => {
    const partner = await lockNamed(tx, code)
    const booked = await findPayment(tx, partner.id, reference)
    const waiting = await findWaiting(tx, 'payment', code, reference)
    const amounts = waiting && { amount: BigInt(waiting.payload.won as string) }
    const decision = decidePayment({ won, prepay, owed: partner.owed, booked, waiting: amounts })
    if (decision.kind === 'refused') throw new Refused(explain(decision.reason, partner, reference))
    if (decision.kind === 'booked') return { kind: 'booked', payment: booked! }
    if (decision.kind === 'waiting') return { kind: 'waiting', request: waiting! }
    const payload = { won: won.toString(), reference, prepay }
    const basis = { owed: partner.owed.toString() }
    const request = await insertRequest(tx, {
      kind: 'payment',
      subject: code,
      payload,
      basis,
      maker: actor,
      makerOrigin: origin,
      reason,
    })
    await insertAuditEntry(tx, {
      actor,
      action: 'partner.payment.request',
      subject: code,
      details: { ...payload, reason, request: request.id, seen: originText(origin) },
    })
    return { kind: 'waiting', request }
  })
}

// The debt may have changed since the request, so every rule is checked again.
export async function executePayment(tx: Tx, request: ChangeRequest, checker: string): Promise<Payload> {
  const code = request.subject
  const {
    won: text,
    reference,
    prepay,
  } = request.payload as { won: string; reference: string; prepay: boolean }
  const won = BigInt(text)
  const { id: partnerId, ...partner } = await lockNamed(tx, code)
  const booked = await findPayment(tx, partnerId, reference)
  const { receivable, settlement, owed } = await lockAccounts(tx, partnerId)
  const decision = decidePayment({ won, prepay, owed, booked, waiting: undefined })
  if (decision.kind === 'refused')
    throw new Refused(explain(decision.reason, { ...partner, owed }, reference))
  if (decision.kind !== 'new') throw new Refused(`${reference} is booked already`)
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
      owedAfter: (owed - won).toString(),
      reason: request.reason,
      askedBy: request.maker,
      request: request.id,
    },
  })
  return { won: won.toString(), reference, prepay }
}

export function requestReversal(
  database: Database,
  { code, reference: typed, actor, origin, reason }: Named,
): Promise<PaymentOutcome> {
  const reference = readReference(typed)
  return database.withTransaction(async (tx) => {
    const partner = await lockNamed(tx, code)
    const payment = await findPayment(tx, partner.id, reference)
    if (!payment) throw new Refused(`${code} has no payment with the reference ${reference}`)
    if (payment.reversedAt) return { kind: 'reversed', payment }
    const waiting = await findWaiting(tx, 'payment_reversal', code, payment.reference)
    if (waiting) return { kind: 'waiting', request: waiting }
    refuseBeyondCredit(partner, payment)
    const payload = { won: payment.amount.toString(), reference: payment.reference }
    const request = await insertRequest(tx, {
      kind: 'payment_reversal',
      subject: code,
      payload,
      basis: { payment: payment.id },
      maker: actor,
      makerOrigin: origin,
      reason,
    })
    await insertAuditEntry(tx, {
      actor,
      action: 'partner.payment.reversal.request',
      subject: code,
      details: { ...payload, reason, request: request.id, seen: originText(origin) },
    })
    return { kind: 'waiting', request }
  })
}

export async function executeReversal(tx: Tx, request: ChangeRequest, checker: string): Promise<Payload> {
  const code = request.subject
  const { won, reference } = request.payload as { won: string; reference: string }
  const partner = await lockNamed(tx, code)
  const payment = await findPayment(tx, partner.id, reference)
  if (payment?.amount.toString() !== won || payment.id !== request.basis.payment || payment.reversedAt) {
    throw new Refused('the payment is not what it was when its reversal was asked for')
  }
  const { receivable, settlement, owed } = await lockAccounts(tx, partner.id)
  refuseBeyondCredit({ ...partner, owed }, payment)
  await markReversed(tx, payment.id, request.id)
  await postTransfers(tx, 'partner_payment_back', [
    { groupId: payment.id, cardId: null, debit: receivable, credit: settlement, amount: payment.amount },
  ])
  await insertAuditEntry(tx, {
    actor: checker,
    action: 'partner.payment.reversal',
    subject: code,
    details: { won, reference, reason: request.reason, askedBy: request.maker, request: request.id },
  })
  return { won: payment.amount.toString(), reference: payment.reference }
}

function readReference(typed: string): string {
  const reference = toReference(typed)
  if (reference === undefined) throw new Refused('a reference is one line of 1 to 100 characters')
  return reference
}

async function lockNamed(tx: Tx, code: string): Promise<Partner> {
  const partner = await lockPartner(tx, code)
  if (!partner) throw new Refused(`there is no partner ${code}`)
  return partner
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
function refuseBeyondCredit({ code, owed, creditLimit }: Partner, { amount }: Payment): void {
  if (owed + amount <= creditLimit) return
  throw new Refused(
    `${code} has bought cards on this payment: without it ${code} owes ${formatWon(owed + amount)}, ` +
      `above its limit of ${formatWon(creditLimit)}. Suspend it, raise the limit to that, reverse, and lower the limit later`,
  )
}

function explain(reason: PaymentRefusal, { code, owed }: Pick<Partner, 'code' | 'owed'>, reference: string) {
  return {
    amount_out_of_bounds: 'a payment is between 1 and 10^15 won',
    reference_reversed: `${reference} was booked and reversed: give the right one another reference`,
    reference_booked: `${reference} is booked with another amount: see ingot partner payments ${code}`,
    reference_waits: `${reference} waits with another amount: see ingot partner pending, and refuse that one first`,
    more_than_owed: `${code} owes ${formatWon(owed > 0n ? owed : 0n)}: to book more than that as prepaid, say --prepay`,
    too_much_prepaid: 'nobody prepays more than 10^15 won',
  }[reason]
}
