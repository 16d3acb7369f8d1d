import type { Database, Tx } from '#base/db.ts'
import { type Origin, originText, toldApartBy } from '#base/origin.ts'
import { Refused } from '#flows/kit/refused.ts'
import { executePayment, executeReversal } from '#flows/partners/book-payment.ts'
import { executeCreditLimit } from '#flows/partners/change-partner.ts'
import { executePrice, executeTerms } from '#flows/trading/change-trading.ts'
import { refuseDecision } from '#modules/approvals/rules.ts'
import { lockRequest, markExecuted, markRefused } from '#modules/approvals/store.ts'
import type { ChangeKind, ChangeRequest, DecideRefusal, Payload } from '#modules/approvals/types.ts'
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

const REFUSALS: Record<DecideRefusal, string> = {
  not_found: 'there is no such request',
  executed: 'it is approved already',
  refused: 'it was refused',
  expired: 'nobody approved it in time: ask again',
  unknown_person: 'the machine does not say who you are: use an account with a name',
  same_person: 'another person has to approve what you asked for',
  same_login:
    'the machine says that it was you who asked, by log-in, sudo, account or terminal: another person has to approve it, logged in as themselves',
}

const EXECUTE: Record<ChangeKind, (tx: Tx, request: ChangeRequest, checker: string) => Promise<Payload>> = {
  price: executePrice,
  terms: executeTerms,
  credit_limit: executeCreditLimit,
  payment: executePayment,
  payment_reversal: executeReversal,
}

// One person's request, approved or refused by another. It is carried out in this transaction or not at all: killed
// before the commit, it still waits; after it, it is done. The request's lock decides every race.
export function decideChange(database: Database, command: DecideCommand): Promise<ChangeRequest> {
  const { id, kinds, act, actor, origin, note } = command
  return database.withTransaction(async (tx) => {
    const found = await lockRequest(tx, id)
    const request = found && kinds.includes(found.kind) ? found : undefined
    const refusal = refuseDecision(request, act, { actor, origin })
    if (refusal || !request) throw new Refused(REFUSALS[refusal ?? 'not_found'])
    if (act === 'approve') {
      const executed = await EXECUTE[request.kind](tx, request, actor)
      await markExecuted(tx, request.id, { checker: actor, origin, executed })
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
    return (await lockRequest(tx, id))!
  })
}
