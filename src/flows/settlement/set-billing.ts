import type { Database } from '#base/db/db.ts'
import { isCleanText } from '#base/text/text.ts'
import { seoulDate } from '#base/time/seoul-time.ts'
import { serviceNow } from '#base/time/service-clock.ts'
import { type NoPartner, type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { lockPartner } from '#modules/partners/store.ts'
import {
  findLegalDetails,
  insertRate,
  listRates,
  listStatementPeriods,
  writeLegalDetails,
} from '#modules/settlement/store.ts'
import type { CommissionRate, LegalDetails } from '#modules/settlement/types.ts'

export type BillingRefusal =
  | NoPartner
  | Refusal<'legal_name_missing'>
  | Refusal<'legal_text_invalid', { field: keyof LegalDetails }>
  | Refusal<'business_number_invalid'>
  | Refusal<'rate_out_of_bounds'>
  // earliest: the first day from which a rate may hold.
  | Refusal<'rate_too_early', { earliest: string }>
  | Refusal<'rate_exists', { from: string }>

interface BillingCommand {
  code: string
  legal: Partial<LegalDetails>
  rate: CommissionRate | undefined
  reason: string | null
  actor: string
}

export interface Billing {
  kind: 'done'
  legal: LegalDetails | undefined
  rates: CommissionRate[]
}

const LONGEST: Record<keyof LegalDetails, number> = {
  legalName: 200,
  businessNumber: 12,
  representative: 100,
  address: 300,
}

// A partner's company details, and from which day on which commission holds. A rate never begins inside a period that is closed.
export async function setBilling(
  database: Database,
  { code, legal: changes, rate, reason, actor }: BillingCommand,
): Promise<Billing | BillingRefusal> {
  const today = seoulDate(await serviceNow(database)).toString()
  return withOutcome<Billing | BillingRefusal>(database, async (tx) => {
    const partner = await lockPartner(tx, code)
    if (!partner) return refused('partner_not_found', { partner: code })
    const before = await findLegalDetails(tx, partner.id)
    const rates = await listRates(tx, partner.id)
    const statements = await listStatementPeriods(tx, partner.id)
    const legal = Object.keys(changes).length > 0 ? { ...NOTHING, ...before, ...changes } : undefined
    const wrong =
      (legal && refuseLegal(legal)) ?? (rate && refuseRate(rate, rates, statements.at(-1)?.period.to ?? null))
    if (wrong) return wrong
    if (legal) await writeLegalDetails(tx, partner.id, legal)
    if (rate) await insertRate(tx, partner.id, rate, actor)
    if (legal || rate) {
      await insertAuditEntry(tx, {
        actor,
        action: 'partner.billing',
        subject: code,
        details: { reason, today },
        before: { ...(legal && before), ...(rate && rateFacts(rates.at(-1))) },
        after: { ...legal, ...(rate && rateFacts(rate)) },
      })
    }
    return { kind: 'done', legal: legal ?? before, rates: await listRates(tx, partner.id) }
  })
}

const rateFacts = (rate: CommissionRate | undefined) => ({
  commission: rate ? `${rate.bps} bps of ${rate.base} from ${rate.effectiveFrom}` : 'none',
})

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

function refuseRate(
  { bps, effectiveFrom }: CommissionRate,
  rates: readonly CommissionRate[],
  closedUntil: string | null,
): BillingRefusal | undefined {
  if (bps < 0 || bps > 10_000) return refused('rate_out_of_bounds')
  if (closedUntil !== null && effectiveFrom < closedUntil)
    return refused('rate_too_early', { earliest: closedUntil })
  const known = rates.some((rate) => rate.effectiveFrom === effectiveFrom)
  return known ? refused('rate_exists', { from: effectiveFrom }) : undefined
}
