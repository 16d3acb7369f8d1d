import type { Database } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { type AgreementRefusal, checkPartnerTerms } from '#flows/partners/check-partner-terms.ts'
import { creditTakesTwo, requestCredit } from '#flows/partners/request-credit.ts'
import type { ChangeRequest, Person } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { openReceivable } from '#modules/ledger/store.ts'
import { isPartnerCode } from '#modules/partners/rules.ts'
import { findPartner, insertPartner } from '#modules/partners/store.ts'
import type { Partner, PartnerTerms } from '#modules/partners/types.ts'

export type RegisterRefusal =
  | Refusal<'code_invalid' | AgreementRefusal>
  | Refusal<'partner_exists', { partner: string }>

// waiting: its credit, which waits for a second person.
type RegisterOutcome =
  | { kind: 'done'; partner: Partner; waiting: ChangeRequest | undefined }
  | RegisterRefusal

interface RegisterCommand extends Person {
  code: string
  terms: PartnerTerms
}

// A partner and the account of what it owes come into being together. In live it has no credit until a second person has approved
// it: otherwise one person could register a partner and buy cards on its credit.
export async function registerPartner(
  database: Database,
  command: RegisterCommand,
): Promise<RegisterOutcome> {
  const { code, terms: wanted, actor } = command
  if (!isPartnerCode(code)) return refused('code_invalid')
  const refusal = checkPartnerTerms(wanted)
  if (refusal) return refused(refusal)
  return withOutcome(database, async (tx) => {
    const waits = await creditTakesTwo(tx, 0n, wanted.creditLimit)
    const terms = waits ? { ...wanted, creditLimit: 0n } : wanted
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
    const partner = (await findPartner(tx, code))!
    const waiting = waits ? await requestCredit(tx, partner, wanted.creditLimit, command) : undefined
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
