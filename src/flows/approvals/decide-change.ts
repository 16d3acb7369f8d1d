import type { Database, Tx } from '#base/db/db.ts'
import type { Origin } from '#base/origin.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import {
  type ExecutePaymentRefusal,
  type ExecuteReversalRefusal,
  executePayment,
  executeReversal,
} from '#flows/partners/book-payment.ts'
import { type CreditRefusal, executeCreditLimit } from '#flows/partners/change-partner.ts'
import {
  type ExecutePriceRefusal,
  type ExecuteTradingTermsRefusal,
  executePrice,
  executeTerms,
} from '#flows/trading/change-trading.ts'
import { originText, refuseDecision, toldApartBy } from '#modules/approvals/rules.ts'
import { lockRequest, markExecuted, markRefused } from '#modules/approvals/store.ts'
import type { ChangeKind, ChangeRequest, DecideRefusal, Executed } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'

export interface DecideCommand {
  id: string
  kinds: readonly ChangeKind[]
  act: 'approve' | 'refuse'
  actor: string
  // What the machine knows about the person who decides.
  origin?: Origin
  note: string
}

type ExecuteRefusal =
  | ExecutePriceRefusal
  | ExecuteTradingTermsRefusal
  | CreditRefusal
  | ExecutePaymentRefusal
  | ExecuteReversalRefusal

// It cannot be decided now, or what it asks for is no longer right.
export type DecisionRefusal = Refusal<DecideRefusal> | ExecuteRefusal

type DecisionOutcome = { kind: 'done'; request: ChangeRequest } | DecisionRefusal

type Execute = (tx: Tx, request: ChangeRequest, checker: string) => Promise<Executed | ExecuteRefusal>

const EXECUTE: Record<ChangeKind, Execute> = {
  price: executePrice,
  terms: executeTerms,
  credit_limit: executeCreditLimit,
  payment: executePayment,
  payment_reversal: executeReversal,
}

// One person's request, approved or refused by another. It is carried out in this transaction or not at all: killed
// before the commit, it still waits; after it, it is done. The request's lock decides every race.
export function decideChange(database: Database, command: DecideCommand): Promise<DecisionOutcome> {
  const { id, kinds, act, actor, origin, note } = command
  return withOutcome(database, async (tx) => {
    const found = await lockRequest(tx, id)
    // A request of another group is unknown here, so that an id in the wrong command does nothing.
    const request = found && kinds.includes(found.kind) ? found : undefined
    const refusal = refuseDecision(request, act, { actor, origin })
    if (refusal || !request) return refused(refusal ?? 'not_found')
    if (act === 'approve') {
      // Each checks its rule again under its own locks: hours may have passed since the request.
      const executed = await EXECUTE[request.kind](tx, request, actor)
      if (executed.kind === 'refused') return executed
      await markExecuted(tx, request.id, { checker: actor, origin, executed: executed.payload })
    } else {
      await markRefused(tx, request.id, actor)
    }
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
        ...(act === 'approve' ? { toldApartBy: toldApartBy(request.makerOrigin, origin) } : {}),
      },
    })
    return { kind: 'done', request: (await lockRequest(tx, id))! }
  })
}
