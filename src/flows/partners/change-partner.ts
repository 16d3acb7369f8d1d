import type { Database, Tx } from '#base/db.ts'
import { formatWon } from '#base/money.ts'
import { type Origin, originText } from '#base/origin.ts'
import { Refused } from '#flows/kit/refused.ts'
import { refuseAgreement } from '#flows/partners/refuse-agreement.ts'
import { wonAsText } from '#flows/partners/register-partner.ts'
import { insertRequest } from '#modules/approvals/store.ts'
import type { ChangeRequest, Payload } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { lockReceivable, setCreditLimit } from '#modules/ledger/store.ts'
import { findPartner, lockPartner, updatePartner } from '#modules/partners/store.ts'
import type { Partner, PartnerTerms } from '#modules/partners/types.ts'

interface ChangedPartner {
  partner: Partner
  // More credit than before, which waits for a second person.
  waiting: ChangeRequest | undefined
}

interface ChangeCommand {
  code: string
  changes: Partial<PartnerTerms>
  actor: string
  origin?: Origin
  // Without one it is recorded as none given.
  reason?: string | null
}

// In live, more credit takes two people: it is money that cards can be bought with. A sandbox's credit is play money, and one
// person may raise it.
export function changePartner(database: Database, command: ChangeCommand): Promise<ChangedPartner> {
  const { code, changes, actor, reason = null } = command
  return database.withTransaction(async (tx) => {
    const before = await lockPartner(tx, code)
    if (!before) throw new Refused(`there is no partner ${code}`)
    const wanted: PartnerTerms = { ...before, ...changes }
    const refusal = refuseAgreement(wanted)
    if (refusal) throw new Refused(refusal)

    const { mode } = await tx.selectFrom('installation').select('mode').executeTakeFirstOrThrow()
    const waits = mode === 'live' && wanted.creditLimit > before.creditLimit
    const terms = waits ? { ...wanted, creditLimit: before.creditLimit } : wanted
    await updatePartner(tx, before.id, terms)
    if (terms.creditLimit !== before.creditLimit) await moveCreditLimit(tx, before, terms.creditLimit)
    const named = (Object.keys(changes) as (keyof PartnerTerms)[]).filter(
      (name) => !(waits && name === 'creditLimit'),
    )
    const texts = { ...terms, ...wonAsText(terms) }
    if (named.length > 0) {
      await insertAuditEntry(tx, {
        actor,
        action: 'partner.set',
        subject: code,
        details: { ...Object.fromEntries(named.map((name) => [name, texts[name]])), reason },
      })
    }
    const waiting = waits ? await requestCredit(tx, before, wanted.creditLimit, command) : undefined
    return { partner: (await findPartner(tx, code))!, waiting }
  })
}

async function moveCreditLimit(tx: Tx, { id, code }: Partner, creditLimit: bigint): Promise<void> {
  const receivable = await lockReceivable(tx, id)
  if (-receivable.balance > creditLimit) {
    throw new Refused(
      `${code} owes ${formatWon(-receivable.balance)} already: the limit cannot be below that. ` +
        'To stop its purchases now, set its status to suspended',
    )
  }
  await setCreditLimit(tx, receivable, creditLimit)
}

async function requestCredit(
  tx: Tx,
  { code, creditLimit: before }: Partner,
  creditLimit: bigint,
  { actor, origin, reason = null }: ChangeCommand,
): Promise<ChangeRequest> {
  const request = await insertRequest(tx, {
    kind: 'credit_limit',
    subject: code,
    payload: { creditLimit: creditLimit.toString() },
    basis: { creditLimit: before.toString() },
    maker: actor,
    makerOrigin: origin,
    reason: reason ?? 'none given',
  })
  await insertAuditEntry(tx, {
    actor,
    action: 'partner.credit.request',
    subject: code,
    details: { creditLimit: creditLimit.toString(), request: request.id, reason, seen: originText(origin) },
  })
  return request
}

export async function executeCreditLimit(tx: Tx, request: ChangeRequest, checker: string): Promise<Payload> {
  const code = request.subject
  const creditLimit = BigInt(request.payload.creditLimit as string)
  const before = await lockPartner(tx, code)
  if (!before || before.creditLimit.toString() !== request.basis.creditLimit) {
    throw new Refused('the credit limit has changed since it was asked for: ask again')
  }
  await moveCreditLimit(tx, before, creditLimit)
  await insertAuditEntry(tx, {
    actor: checker,
    action: 'partner.set',
    subject: code,
    details: { creditLimit: creditLimit.toString(), askedBy: request.maker, request: request.id },
  })
  return { creditLimit: creditLimit.toString() }
}
