import type { Database } from '#base/db/db.ts'
import { isCleanText } from '#base/text/text.ts'
import { type NoPartner, type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { type RateRefusal, requestRate } from '#flows/settlement/change-rate.ts'
import type { ChangeRequest, Person } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { lockPartner } from '#modules/partners/store.ts'
import { findLegalDetails, listRates, writeLegalDetails } from '#modules/settlement/store.ts'
import type { CommissionRate, LegalDetails } from '#modules/settlement/types.ts'

export type BillingRefusal =
  | NoPartner
  | Refusal<'legal_name_missing'>
  | Refusal<'legal_text_invalid', { field: keyof LegalDetails }>
  | Refusal<'business_number_invalid'>
  | RateRefusal

export interface BillingCommand extends Person {
  code: string
  legal: Partial<LegalDetails>
  rate: CommissionRate | undefined
  reason: string | null
}

interface Billing {
  kind: 'done'
  legal: LegalDetails | undefined
  rates: CommissionRate[]
  // A rate that waits for a second person.
  waiting: ChangeRequest | undefined
}

export type BillingOutcome = Billing | BillingRefusal

const LONGEST: Record<keyof LegalDetails, number> = {
  legalName: 200,
  businessNumber: 12,
  representative: 100,
  address: 300,
}

// A partner's company details hold at once. Its commission waits for a second person.
export function setBilling(
  database: Database,
  { code, legal: changes, rate, reason, ...maker }: BillingCommand,
): Promise<BillingOutcome> {
  return withOutcome<BillingOutcome>(database, async (tx) => {
    const partner = await lockPartner(tx, code)
    if (!partner) return refused('partner_not_found', { partner: code })
    const before = await findLegalDetails(tx, partner.id)
    const legal = Object.keys(changes).length > 0 ? { ...NOTHING, ...before, ...changes } : undefined
    const wrong = legal && refuseLegal(legal)
    if (wrong) return wrong
    if (legal) {
      await writeLegalDetails(tx, partner.id, legal)
      await insertAuditEntry(tx, {
        actor: maker.actor,
        action: 'partner.billing',
        subject: code,
        details: { reason },
        before: { ...before },
        after: { ...legal },
      })
    }
    const asked = rate && (await requestRate(tx, partner, { rate, reason, ...maker }))
    if (asked?.kind === 'refused') return asked
    const rates = await listRates(tx, partner.id)
    return { kind: 'done', legal: legal ?? before, rates, waiting: asked?.request }
  })
}

const NOTHING: LegalDetails = { legalName: '', businessNumber: null, representative: null, address: null }

function refuseLegal(legal: LegalDetails): BillingRefusal | undefined {
  if (legal.legalName === '') return refused('legal_name_missing')
  for (const [name, longest] of Object.entries(LONGEST)) {
    const field = name as keyof LegalDetails
    const text = legal[field]
    if (text !== null && (text.trim() === '' || text.length > longest || !isCleanText(text)))
      return refused('legal_text_invalid', { field })
  }
  const number = legal.businessNumber
  return number !== null && !/^\d{3}-\d{2}-\d{5}$/.test(number)
    ? refused('business_number_invalid')
    : undefined
}
