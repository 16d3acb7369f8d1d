import type { Database } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { type AgreementRefusal, checkPartnerTerms } from '#flows/partners/check-partner-terms.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { openReceivable } from '#modules/ledger/store.ts'
import { isPartnerCode } from '#modules/partners/rules.ts'
import { findPartner, insertPartner } from '#modules/partners/store.ts'
import type { Partner, PartnerTerms } from '#modules/partners/types.ts'

export type RegisterRefusal =
  | Refusal<'code_invalid' | AgreementRefusal>
  | Refusal<'partner_exists', { partner: string }>

type RegisterOutcome = { kind: 'done'; partner: Partner } | RegisterRefusal

// A partner and the account of what it owes come into being together.
export async function registerPartner(
  database: Database,
  command: { code: string; terms: PartnerTerms; actor: string },
): Promise<RegisterOutcome> {
  const { code, terms, actor } = command
  if (!isPartnerCode(code)) return refused('code_invalid')
  const refusal = checkPartnerTerms(terms)
  if (refusal) return refused(refusal)
  return withOutcome(database, async (tx) => {
    // The unique code decides between two who register it at once. The second gets undefined and writes nothing.
    const id = await insertPartner(tx, code, terms)
    if (id === undefined) return refused('partner_exists', { partner: code })
    await openReceivable(tx, id, terms.creditLimit)
    await insertAuditEntry(tx, {
      actor,
      action: 'partner.add',
      subject: code,
      after: { ...terms, ...wonAsText(terms) },
    })
    return { kind: 'done', partner: (await findPartner(tx, code))! }
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
