import type { Database, Tx } from '#base/db/db.ts'
import { type NoPartner, type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { type AgreementRefusal, checkPartnerTerms } from '#flows/partners/check-partner-terms.ts'
import { wonAsText } from '#flows/partners/register-partner.ts'
import { requestCredit } from '#flows/partners/request-credit.ts'
import type { ChangeRequest, Executed, Person } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { lockReceivable, setCreditLimit } from '#modules/ledger/store.ts'
import { findPartner, lockPartner, updatePartner } from '#modules/partners/store.ts'
import type { Partner, PartnerTerms } from '#modules/partners/types.ts'

type LimitRefusal = Refusal<'limit_below_owed', { partner: string; owed: bigint }>

export type ChangeRefusal = NoPartner | Refusal<AgreementRefusal> | LimitRefusal
export type CreditRefusal = Refusal<'credit_limit_changed'> | LimitRefusal

// waiting: more credit than before, which waits for a second person.
type ChangeOutcome = { kind: 'done'; partner: Partner; waiting: ChangeRequest | undefined } | ChangeRefusal

interface ChangeCommand extends Person {
  code: string
  changes: Partial<PartnerTerms>
  // Without one it is recorded as none given.
  reason?: string | null
}

// In live, more credit takes two people: it is money that cards can be bought with. A sandbox's credit is play money, and one
// person may raise it.
export function changePartner(database: Database, command: ChangeCommand): Promise<ChangeOutcome> {
  const { code, changes, actor, reason = null } = command
  return withOutcome(database, async (tx) => {
    const before = await lockPartner(tx, code)
    if (!before) return refused('partner_not_found', { partner: code })
    const wanted: PartnerTerms = { ...before, ...changes }
    const refusal = checkPartnerTerms(wanted)
    if (refusal) return refused(refusal)

    const { mode } = await tx.selectFrom('installation').select('mode').executeTakeFirstOrThrow()
    const waits = mode === 'live' && wanted.creditLimit > before.creditLimit
    // The rest of the change does not wait with the credit: a suspension in the same command must hold at once.
    const terms = waits ? { ...wanted, creditLimit: before.creditLimit } : wanted
    await updatePartner(tx, before.id, terms)
    if (terms.creditLimit !== before.creditLimit) {
      const owesMore = await moveCreditLimit(tx, before, terms.creditLimit)
      if (owesMore) return owesMore
    }
    const named = (Object.keys(changes) as (keyof PartnerTerms)[]).filter(
      (name) => !(waits && name === 'creditLimit'),
    )
    const told = (of: PartnerTerms) => {
      const texts = { ...of, ...wonAsText(of) }
      return Object.fromEntries(named.map((name) => [name, texts[name]]))
    }
    if (named.length > 0) {
      await insertAuditEntry(tx, {
        actor,
        action: 'partner.set',
        subject: code,
        details: { reason },
        before: told(before),
        after: told(terms),
      })
    }
    const waiting = waits ? await requestCredit(tx, before, wanted.creditLimit, command) : undefined
    return { kind: 'done', partner: (await findPartner(tx, code))!, waiting }
  })
}

async function moveCreditLimit(
  tx: Tx,
  { id, code }: Partner,
  creditLimit: bigint,
): Promise<LimitRefusal | undefined> {
  // The lock that purchases take: none can slip in between this comparison and the new limit.
  const receivable = await lockReceivable(tx, id)
  const owed = -receivable.balance
  if (owed > creditLimit) return refused('limit_below_owed', { partner: code, owed })
  await setCreditLimit(tx, receivable, creditLimit)
  return undefined
}

export async function executeCreditLimit(
  tx: Tx,
  request: ChangeRequest,
  checker: string,
): Promise<Executed | CreditRefusal> {
  const code = request.subject
  const creditLimit = BigInt(request.payload.creditLimit as string)
  const before = await lockPartner(tx, code)
  if (!before || before.creditLimit.toString() !== request.basis.creditLimit) {
    return refused('credit_limit_changed')
  }
  const owesMore = await moveCreditLimit(tx, before, creditLimit)
  if (owesMore) return owesMore
  await insertAuditEntry(tx, {
    actor: checker,
    action: 'partner.set',
    subject: code,
    details: { reason: request.reason, askedBy: request.maker, request: request.id },
    before: { creditLimit: before.creditLimit.toString() },
    after: { creditLimit: creditLimit.toString() },
  })
  return { kind: 'executed', payload: { creditLimit: creditLimit.toString() } }
}
