import type { Database } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { type AgreementRefusal, checkPartnerTerms } from '#flows/partners/check-partner-terms.ts'
import { requestCredit } from '#flows/partners/request-credit.ts'
import type { ChangeRequest, Person } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { openReceivable } from '#modules/ledger/store.ts'
import { isPartnerCode } from '#modules/partners/rules.ts'
import { findPartner, insertPartner } from '#modules/partners/store.ts'
import type { Partner, PartnerTerms } from '#modules/partners/types.ts'

export type RegisterRefusal =
  | Refusal<'code_invalid' | AgreementRefusal>
  | Refusal<'partner_exists', { partner: string }>

// waiting: the credit that takes a second person. Until then the partner has what one may give.
type RegisterOutcome =
  | { kind: 'done'; partner: Partner; waiting: ChangeRequest | undefined }
  | RegisterRefusal

interface RegisterCommand extends Person {
  code: string
  terms: PartnerTerms
  // How much credit one person may give in live.
  creditOfOne: bigint
}

// A partner and the account of what it owes come into being together. In live, credit takes two people here as well: one who
// registers a partner gets its key, and could buy cards on it.
export async function registerPartner(
  database: Database,
  { code, terms: wanted, creditOfOne, ...maker }: RegisterCommand,
): Promise<RegisterOutcome> {
  if (!isPartnerCode(code)) return refused('code_invalid')
  const refusal = checkPartnerTerms(wanted)
  if (refusal) return refused(refusal)
  return withOutcome(database, async (tx) => {
    const { mode } = await tx.selectFrom('installation').select('mode').executeTakeFirstOrThrow()
    const waits = mode === 'live' && wanted.creditLimit > creditOfOne
    const terms = waits ? { ...wanted, creditLimit: creditOfOne } : wanted
    // The unique code decides between two who register it at once. The second gets undefined and writes nothing.
    const id = await insertPartner(tx, code, terms)
    if (id === undefined) return refused('partner_exists', { partner: code })
    await openReceivable(tx, id, terms.creditLimit)
    await insertAuditEntry(tx, {
      actor: maker.actor,
      action: 'partner.add',
      subject: code,
      after: { ...terms, ...wonAsText(terms) },
    })
    const partner = (await findPartner(tx, code))!
    const waiting = waits ? await requestCredit(tx, partner, wanted.creditLimit, maker) : undefined
    return { kind: 'done', partner, waiting }
  })
}

// jsonb numbers would lose digits in some readers; won are text in the audit log.
export function wonAsText(terms: PartnerTerms) {
  return {
    amountMin: terms.amountMin.toString(),
    amountMax: terms.amountMax.toString(),
    creditLimit: terms.creditLimit.toString(),
  }
}
