import type { Database } from '#base/db.ts'
import { formatWon } from '#base/money.ts'
import { refuseAgreement } from '#flows/refuse-agreement.ts'
import { Refused } from '#flows/refused.ts'
import { wonAsText } from '#flows/register-partner.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { lockReceivable, setCreditLimit } from '#modules/ledger/store.ts'
import { findPartner, lockPartner, updatePartner } from '#modules/partners/store.ts'
import type { Partner, PartnerTerms } from '#modules/partners/types.ts'

export function changePartner(
  database: Database,
  command: { code: string; changes: Partial<PartnerTerms>; actor: string },
): Promise<Partner> {
  const { code, changes, actor } = command
  return database.withTransaction(async (tx) => {
    const before = await lockPartner(tx, code)
    if (!before) throw new Refused(`there is no partner ${code}`)
    const terms: PartnerTerms = { ...before, ...changes }
    const refusal = refuseAgreement(terms)
    if (refusal) throw new Refused(refusal)

    await updatePartner(tx, before.id, terms)
    if (terms.creditLimit !== before.creditLimit) {
      const receivable = await lockReceivable(tx, before.id)
      if (-receivable.balance > terms.creditLimit) {
        throw new Refused(
          `${code} owes ${formatWon(-receivable.balance)} already: the limit cannot be below that. ` +
            'To stop its purchases now, set its status to suspended',
        )
      }
      await setCreditLimit(tx, receivable, terms.creditLimit)
    }
    const named = Object.keys(changes) as (keyof PartnerTerms)[]
    const texts = { ...terms, ...wonAsText(terms) }
    await insertAuditEntry(tx, {
      actor,
      action: 'partner.set',
      subject: code,
      details: Object.fromEntries(named.map((name) => [name, texts[name]])),
    })
    return (await findPartner(tx, code))!
  })
}
