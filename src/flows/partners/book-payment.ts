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
import { divide, openOf } from '#modules/settlement/rules.ts'
import { findStatement, insertParts, sumCommissionParts } from '#modules/settlement/store.ts'
import type { Statement } from '#modules/settlement/types.ts'

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

// What is wrong with the payment itself. owed: what the partner owes now, with the commission of the statements that the payment names.
type BookRefusal = Refusal<PaymentRefusal, { partner: string; owed: bigint; reference: string }>
// A payment names statements of its partner that are not paid yet, each once.
type NamingRefusal = Refusal<'statement_not_found' | 'statement_paid' | 'statement_twice', { number: string }>
// Cards were bought on the payment: without it the partner would owe more than its limit.
type SpentRefusal = Refusal<'payment_spent', { partner: string; owedWithout: bigint; creditLimit: bigint }>

export type RequestRefusal =
  | NoPartner
  | Refusal<'reference_invalid'>
  | Refusal<'payment_not_found', { partner: string; reference: string }>
  | BookRefusal
  | NamingRefusal
  | SpentRefusal
export type ExecutePaymentRefusal =
  | NoPartner
  | BookRefusal
  | NamingRefusal
  | Refusal<'already_booked', { reference: string }>
export type ExecuteReversalRefusal = NoPartner | Refusal<'payment_changed'> | SpentRefusal

export function requestPayment(
  database: Database,
  command: Named & { won: bigint; prepay: boolean; statements?: readonly string[] },
): Promise<PaymentOutcome> {
  const { won, prepay, statements: numbers = [], ...named } = command
  return aboutPayment(database, named, async (tx, partner, reference) => {
    const { code, owed } = partner
    const booked = await findPayment(tx, partner.id, reference)
    const waiting = await findWaiting(tx, 'payment', code, reference)
    const amounts = waiting && { amount: BigInt(waiting.payload.won as string) }
    const known = booked ?? amounts
    const paid = known ? NOTHING_NAMED : await findNamed(tx, partner.id, numbers)
    if (paid.kind === 'refused') return paid
    const payable = payableOf(owed, divide(won, paid.statements))
    const decision = decidePayment({ won, prepay, owed: payable, booked, waiting: amounts })
    if (decision.kind === 'refused')
      return refused(decision.reason, { partner: code, owed: payable, reference })
    if (decision.kind === 'booked') return { kind: 'booked', payment: booked! }
    if (decision.kind === 'waiting') return { kind: 'waiting', request: waiting! }
    const change = {
      action: 'partner.payment.request',
      kind: 'payment',
      subject: code,
      payload: { won: won.toString(), reference, prepay, ...namingOf(numbers) },
      basis: { owed: owed.toString() },
    } as const
    return requestChange(tx, change, named)
  })
}

// A number has no comma.
function namingOf(numbers: readonly string[]): { statements?: string } {
  return numbers.length > 0 ? { statements: numbers.join(',') } : {}
}

const NOTHING_NAMED = { kind: 'named', statements: [] as Statement[] } as const

// Commissions are owed beside cards. A statement may be paid in full though cards of it were voided since: the rest is deposit.
function payableOf(owed: bigint, { parts, commission }: Omit<ReturnType<typeof divide>, 'rest'>): bigint {
  const cards = parts.reduce((sum, part) => sum + part.amount, 0n) - commission
  return (owed > cards ? owed : cards) + commission
}

async function findNamed(
  tx: Tx,
  partnerId: number,
  numbers: readonly string[],
): Promise<{ kind: 'named'; statements: Statement[] } | NamingRefusal> {
  const statements: Statement[] = []
  for (const number of numbers) {
    const statement = await findStatement(tx, number)
    if (statement?.partnerId !== partnerId) return refused('statement_not_found', { number })
    if (statements.some(({ id }) => id === statement.id)) return refused('statement_twice', { number })
    if (openOf(statement) === 0n) return refused('statement_paid', { number })
    statements.push(statement)
  }
  return { kind: 'named', statements }
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
    statements,
  } = request.payload as { won: string; reference: string; prepay: boolean; statements?: string }
  const numbers = statements?.split(',') ?? []
  const won = BigInt(text)
  const partner = await lockPartner(tx, code)
  if (!partner) return refused('partner_not_found', { partner: code })
  const { id: partnerId } = partner
  // Two requests for one reference may both have waited. The first approval books it, and the second one ends here.
  const booked = await findPayment(tx, partnerId, reference)
  const { receivable, settlement, owed } = await lockAccounts(tx, partnerId)
  const named = booked ? NOTHING_NAMED : await findNamed(tx, partnerId, numbers)
  if (named.kind === 'refused') return named
  const { parts, commission } = divide(won, named.statements)
  const payable = payableOf(owed, { parts, commission })
  const decision = decidePayment({ won, prepay, owed: payable, booked, waiting: undefined })
  if (decision.kind === 'refused')
    return refused(decision.reason, { partner: code, owed: payable, reference })
  if (decision.kind !== 'new') return refused('already_booked', { reference })
  // Under the request's own id: an approval that is run again could not insert it twice.
  await insertPayment(tx, { id: request.id, partnerId, reference, amount: won })
  await insertParts(tx, request.id, parts)
  if (won > commission)
    await postTransfers(tx, 'partner_payment', [
      { groupId: request.id, cardId: null, debit: settlement, credit: receivable, amount: won - commission },
    ])
  await moveCommission(tx, request.id, commission, 'commission_payment')
  await insertAuditEntry(tx, {
    actor: checker,
    action: 'partner.payment',
    subject: code,
    details: {
      won: text,
      reference,
      prepay,
      ...namingOf(numbers),
      reason: request.reason,
      askedBy: request.maker,
      request: request.id,
    },
    before: { owed: owed.toString() },
    after: { owed: (owed - won + commission).toString() },
  })
  return { kind: 'executed', payload: request.payload }
}

export function requestReversal(database: Database, named: Named): Promise<PaymentOutcome> {
  return aboutPayment(database, named, async (tx, partner, reference) => {
    const { code } = partner
    const payment = await findPayment(tx, partner.id, reference)
    if (!payment) return refused('payment_not_found', { partner: code, reference })
    if (payment.reversedAt) return { kind: 'reversed', payment }
    const waiting = await findWaiting(tx, 'payment_reversal', code, payment.reference)
    if (waiting) return { kind: 'waiting', request: waiting }
    const spent = refuseSpent(partner, payment.amount - (await sumCommissionParts(tx, payment.id)))
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
  const commission = await sumCommissionParts(tx, payment.id)
  const forCards = payment.amount - commission
  const spent = refuseSpent({ ...partner, owed }, forCards)
  if (spent) return spent
  await markReversed(tx, payment.id, request.id)
  if (forCards > 0n)
    await postTransfers(tx, 'partner_payment_back', [
      { groupId: payment.id, cardId: null, debit: receivable, credit: settlement, amount: forCards },
    ])
  await moveCommission(tx, payment.id, commission, 'commission_payment_back')
  await insertAuditEntry(tx, {
    actor: checker,
    action: 'partner.payment.reversal',
    subject: code,
    details: { won, reference, reason: request.reason, askedBy: request.maker, request: request.id },
    before: { owed: owed.toString() },
    after: { owed: (owed + forCards).toString() },
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

// Commissions are owed apart from cards: they use up no credit.
async function moveCommission(
  tx: Tx,
  groupId: string,
  amount: bigint,
  kind: 'commission_payment' | 'commission_payment_back',
): Promise<void> {
  if (amount === 0n) return
  const owed = await findHouseAccount(tx, 'commissions_owed', 'KRW')
  const settlement = await findHouseAccount(tx, 'partner_settlement', 'KRW')
  const [debit, credit] = kind === 'commission_payment' ? [settlement, owed] : [owed, settlement]
  await postTransfers(tx, kind, [{ groupId, cardId: null, debit, credit, amount }])
}

// The database would refuse it too, and would not say what to do.
function refuseSpent({ code, owed, creditLimit }: Partner, amount: bigint): SpentRefusal | undefined {
  const owedWithout = owed + amount
  return owedWithout <= creditLimit
    ? undefined
    : refused('payment_spent', { partner: code, owedWithout, creditLimit })
}
