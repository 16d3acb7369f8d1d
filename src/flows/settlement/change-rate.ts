import type { Tx } from '#base/db/db.ts'
import { type Refusal, refused } from '#flows/kit/outcome.ts'
import { requestChange } from '#flows/kit/request-change.ts'
import type { ChangeRequest, Executed, Person } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { lockPartner } from '#modules/partners/store.ts'
import type { Partner } from '#modules/partners/types.ts'
import { insertRate, listRates, listStatementPeriods } from '#modules/settlement/store.ts'
import type { CommissionRate } from '#modules/settlement/types.ts'

export type RateRefusal =
  | Refusal<'rate_out_of_bounds'>
  // earliest: the first day from which a rate may hold.
  | Refusal<'rate_too_early', { earliest: string }>
  | Refusal<'rate_exists', { from: string }>

export type ExecuteRateRefusal = RateRefusal | Refusal<'rate_changed'>

interface RateCommand extends Person {
  rate: CommissionRate
  reason: string | null
}

// What a partner is charged from a day on. A higher rate takes from the partner and a lower one from the house, so both take two
// people. A rate never begins inside a period that is closed.
export async function requestRate(
  tx: Tx,
  partner: Partner,
  { rate, ...maker }: RateCommand,
): Promise<{ kind: 'waiting'; request: ChangeRequest } | RateRefusal> {
  const rates = await listRates(tx, partner.id)
  const refusal = await refuseRate(tx, partner.id, rate, rates)
  if (refusal) return refusal
  const wanted = {
    action: 'partner.rate.request',
    kind: 'commission_rate',
    subject: partner.code,
    payload: { ...rate },
    basis: basisOf(rates, rate.effectiveFrom),
  } as const
  return requestChange(tx, wanted, maker)
}

// A period may have been closed, or another rate set, since it was asked for.
export async function executeRate(
  tx: Tx,
  request: ChangeRequest,
  checker: string,
): Promise<Executed | ExecuteRateRefusal> {
  const partner = await lockPartner(tx, request.subject)
  if (!partner) return refused('rate_changed')
  const rate = request.payload as unknown as CommissionRate
  const rates = await listRates(tx, partner.id)
  const refusal = await refuseRate(tx, partner.id, rate, rates)
  if (refusal) return refusal
  const basis = basisOf(rates, rate.effectiveFrom)
  if (basis.bps !== request.basis.bps || basis.base !== request.basis.base) return refused('rate_changed')
  const { effectiveFrom, bps, base } = rate
  await insertRate(tx, partner.id, { effectiveFrom, bps, base }, { by: checker, requestId: request.id })
  await insertAuditEntry(tx, {
    actor: checker,
    action: 'partner.rate',
    subject: partner.code,
    details: { reason: request.reason, askedBy: request.maker, request: request.id },
    before: basis,
    after: { effectiveFrom, bps, base },
  })
  return { kind: 'executed', payload: { effectiveFrom, bps, base } }
}

// The rate that would hold on that day otherwise; empty: none.
function basisOf(
  rates: readonly CommissionRate[],
  day: string,
): Partial<Omit<CommissionRate, 'effectiveFrom'>> {
  const held = rates.findLast(({ effectiveFrom }) => effectiveFrom < day)
  return held ? { bps: held.bps, base: held.base } : {}
}

async function refuseRate(
  tx: Tx,
  partnerId: number,
  { bps, effectiveFrom }: CommissionRate,
  rates: readonly CommissionRate[],
): Promise<RateRefusal | undefined> {
  if (bps < 0 || bps > 10_000) return refused('rate_out_of_bounds')
  const earliest = (await listStatementPeriods(tx, partnerId)).at(-1)?.period.to
  if (earliest !== undefined && effectiveFrom < earliest) return refused('rate_too_early', { earliest })
  const known = rates.some((rate) => rate.effectiveFrom === effectiveFrom)
  return known ? refused('rate_exists', { from: effectiveFrom }) : undefined
}
