import type { Database } from '#base/db.ts'
import { Refused } from '#flows/kit/refused.ts'
import { refuseAgreement } from '#flows/partners/refuse-agreement.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { openReceivable } from '#modules/ledger/store.ts'
import { isPartnerCode } from '#modules/partners/rules.ts'
import { findPartner, insertPartner } from '#modules/partners/store.ts'
import type { Partner, PartnerTerms } from '#modules/partners/types.ts'

// A partner and the account of what it owes come into being together.
export function registerPartner(
  database: Database,
  command: { code: string; terms: PartnerTerms; actor: string },
): Promise<Partner> {
  const { code, terms, actor } = command
  if (!isPartnerCode(code)) {
    throw new Refused('a partner code has 1 to 64 letters, digits, dots, hyphens or underscores')
  }
  const refusal = refuseAgreement(terms)
  if (refusal) throw new Refused(refusal)
  return database.withTransaction(async (tx) => {
    const id = await insertPartner(tx, code, terms)
    if (id === undefined) throw new Refused(`there is a partner ${code} already`)
    await openReceivable(tx, id, terms.creditLimit)
    await insertAuditEntry(tx, {
      actor,
      action: 'partner.add',
      subject: code,
      details: { ...terms, ...wonAsText(terms) },
    })
    return (await findPartner(tx, code))!
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
