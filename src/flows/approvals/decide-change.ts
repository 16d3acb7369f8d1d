import type { Database, Tx } from '#base/db/db.ts'
import { type ExecuteBullionRefusal, executeBullion } from '#flows/books/trade-bullion.ts'
import { type ExecuteVoidRefusal, executeVoid } from '#flows/gift-cards/void-card.ts'
import { type AdjustRefusal, executeAdjustment } from '#flows/holdings/adjust-holding.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { retryDeadlocked } from '#flows/kit/retries.ts'
import { findStaffOf, judgeSecond } from '#flows/kit/two-people.ts'
import {
  type ExecutePaymentRefusal,
  type ExecuteReversalRefusal,
  executePayment,
  executeReversal,
} from '#flows/partners/book-payment.ts'
import { type CreditRefusal, executeCreditLimit } from '#flows/partners/change-partner.ts'
import { executePolicy, type PolicyChangeRefusal } from '#flows/refunds/change-policy.ts'
import { type ExecuteRefundRefusal, executeRefund } from '#flows/refunds/refund-card.ts'
import { type ExecuteFundRefusal, executeFund } from '#flows/reports/record-funds.ts'
import { type ExecuteRateRefusal, executeRate } from '#flows/settlement/change-rate.ts'
import { type ExecuteRoleRefusal, executeRoleChange } from '#flows/staff/change-role.ts'
import {
  type ExecutePriceRefusal,
  type ExecuteTradingTermsRefusal,
  executePrice,
  executeTerms,
} from '#flows/trading/change-trading.ts'
import { originText, refuseUndecided, toldApartBy } from '#modules/approvals/rules.ts'
import { lockRequest, markExecuted, markRefused } from '#modules/approvals/store.ts'
import type { ChangeKind, ChangeRequest, DecideRefusal, Executed, Person } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'

export interface DecideCommand extends Person {
  id: string
  kinds: readonly ChangeKind[]
  act: 'approve' | 'refuse'
  note: string
}

type ExecuteRefusal =
  | ExecutePriceRefusal
  | ExecuteTradingTermsRefusal
  | CreditRefusal
  | ExecutePaymentRefusal
  | ExecuteReversalRefusal
  | AdjustRefusal
  | ExecuteVoidRefusal
  | ExecuteRefundRefusal
  | PolicyChangeRefusal
  | ExecuteRoleRefusal
  | ExecuteBullionRefusal
  | ExecuteRateRefusal
  | ExecuteFundRefusal

// It cannot be decided now, or what it asks for is no longer right.
export type DecisionRefusal = Refusal<DecideRefusal> | ExecuteRefusal

export type DecisionOutcome = { kind: 'done'; request: ChangeRequest } | DecisionRefusal

type Execute = (tx: Tx, request: ChangeRequest, checker: string) => Promise<Executed | ExecuteRefusal>

const EXECUTE: Record<ChangeKind, Execute> = {
  price: executePrice,
  terms: executeTerms,
  credit_limit: executeCreditLimit,
  payment: executePayment,
  payment_reversal: executeReversal,
  adjustment: executeAdjustment,
  card_void: executeVoid,
  refund: executeRefund,
  refund_policy: executePolicy,
  staff_role: executeRoleChange,
  bullion: executeBullion,
  commission_rate: executeRate,
  safeguard: executeFund,
}

// One person's request, approved or refused by another. It is carried out in this transaction or not at all: killed
// before the commit, it still waits; after it, it is done. The request's lock decides every race. A change that takes long
// commits its job here. If what it asks for is no longer right, the request goes on waiting.
export function decideChange(database: Database, command: DecideCommand): Promise<DecisionOutcome> {
  return retryDeadlocked(() => withOutcome(database, (tx) => decide(tx, command)))
}

async function decide(tx: Tx, command: DecideCommand): Promise<DecisionOutcome> {
  const { id, kinds, act, actor, origin, note } = command
  const found = await lockRequest(tx, id)
  // A request of another group is unknown here, so that an id in the wrong command does nothing.
  const request = found && kinds.includes(found.kind) ? found : undefined
  const refusal = refuseUndecided(request)
  if (refusal || !request) return refused(refusal ?? 'not_found')
  const told = act === 'approve' ? await approve(tx, request, command) : await refuse(tx, request, command)
  if (told.kind === 'refused') return told
  await insertAuditEntry(tx, {
    actor,
    action: `change.${act}`,
    subject: request.id,
    details: {
      kind: request.kind,
      of: request.subject,
      note,
      seen: originText(origin),
      makerSeen: originText(request.makerOrigin),
      ...told.details,
    },
    before: { status: request.status },
    after: { status: act === 'approve' ? 'executed' : 'refused' },
  })
  return { kind: 'done', request: (await lockRequest(tx, id))! }
}

type Told = { kind: 'told'; details: Record<string, string | boolean> } | DecisionRefusal

async function approve(tx: Tx, request: ChangeRequest, command: DecideCommand): Promise<Told> {
  const { actor, origin } = command
  const maker = { actor: request.maker, origin: request.makerOrigin, staffId: request.makerStaff }
  const judged = await judgeSecond(tx, maker, command, 'approvals.decide')
  if (judged.kind === 'refused') return judged
  const { first, second, singlePerson } = judged
  // Each checks its rule again under its own locks: hours may have passed since the request.
  const executed = await EXECUTE[request.kind](tx, request, actor)
  if (executed.kind === 'refused') return executed
  const { staffId } = second
  await markExecuted(tx, request.id, { actor, origin, staffId, singlePerson, executed: executed.payload })
  return {
    kind: 'told',
    details: singlePerson ? { singlePerson } : { toldApartBy: toldApartBy(first, second) },
  }
}

async function refuse(tx: Tx, request: ChangeRequest, command: DecideCommand): Promise<Told> {
  const { actor, origin } = command
  await markRefused(tx, request.id, { actor, origin, staffId: await findStaffOf(tx, command) })
  return { kind: 'told', details: {} }
}
