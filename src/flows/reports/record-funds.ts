import { sql } from 'kysely'
import type { Database, Tx } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { requestChange } from '#flows/kit/request-change.ts'
import { listWaiting } from '#modules/approvals/store.ts'
import type { ChangeRequest, Executed, Person } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { toReference } from '#modules/payments/rules.ts'
import { decideFund, toInstitution } from '#modules/prepaid/rules.ts'
import { findFund, findLastFund, insertFund, lockFunds } from '#modules/prepaid/store.ts'
import type { FundRefusal, FundTerms, SafeguardedFund, SafeguardMethod } from '#modules/prepaid/types.ts'

// What an institution holds for the house's customers. One person records it from the institution's document, and the approval of
// another makes it count.

export type ExecuteFundRefusal = Refusal<FundRefusal, { reference: string; asOf: string; today: string }>
export type RequestFundRefusal =
  | ExecuteFundRefusal
  | Refusal<'reference_invalid'>
  | Refusal<'institution_invalid'>

// recorded: the same command was approved before.
export type FundOutcome =
  | { kind: 'waiting'; request: ChangeRequest }
  | { kind: 'recorded'; fund: SafeguardedFund }
  | RequestFundRefusal

export interface FundCommand extends FundTerms, Person {
  reference: string
  reason: string | null
}

export async function requestFund(database: Database, command: FundCommand): Promise<FundOutcome> {
  const { institution: typed, method, asOf, won, reference: given, ...maker } = command
  const reference = toReference(given)
  if (reference === undefined) return refused('reference_invalid')
  const institution = toInstitution(typed)
  if (institution === undefined) return refused('institution_invalid')
  const wanted = { institution, method, asOf, won }
  return withOutcome<FundOutcome>(database, async (tx) => {
    await lockFunds(tx)
    const fund = await findFund(tx, reference)
    const waiting = fund ? undefined : await findWaiting(tx, reference)
    const today = await readToday(tx)
    const decision = decideFund({ wanted, today, known: fund ?? (waiting && termsOf(waiting)) })
    if (decision.kind === 'refused') return refused(decision.reason, { reference, asOf, today })
    if (fund) return { kind: 'recorded', fund }
    if (waiting) return { kind: 'waiting', request: waiting }
    const change = {
      action: 'safeguard.request',
      kind: 'safeguard',
      subject: institution,
      payload: { method, asOf, won: won.toString(), reference },
      basis: await basisOf(tx, institution),
    } as const
    return requestChange(tx, change, maker)
  })
}

// Another record may have been made since the request, so every rule is checked again.
export async function executeFund(
  tx: Tx,
  request: ChangeRequest,
  checker: string,
): Promise<Executed | ExecuteFundRefusal> {
  const terms = termsOf(request)
  const { institution, method, asOf, won } = terms
  const reference = request.payload.reference as string
  await lockFunds(tx)
  const known = await findFund(tx, reference)
  const today = await readToday(tx)
  const decision = decideFund({ wanted: terms, today, known })
  if (decision.kind === 'refused') return refused(decision.reason, { reference, asOf, today })
  if (decision.kind === 'known') return refused('fund_reference_used', { reference, asOf, today })
  const before = await basisOf(tx, institution)
  await insertFund(tx, { id: request.id, ...terms, reference })
  const payload = { method, asOf, won: won.toString(), reference }
  await insertAuditEntry(tx, {
    actor: checker,
    action: 'safeguard.record',
    subject: institution,
    details: { reason: request.reason, askedBy: request.maker, request: request.id },
    before,
    after: payload,
  })
  return { kind: 'executed', payload }
}

async function basisOf(tx: Tx, institution: string) {
  const last = await findLastFund(tx, institution)
  return last ? { asOf: last.asOf, won: last.won.toString() } : {}
}

function termsOf({ subject, payload }: ChangeRequest): FundTerms {
  return {
    institution: subject,
    method: payload.method as SafeguardMethod,
    asOf: payload.asOf as string,
    won: BigInt(payload.won as string),
  }
}

async function findWaiting(tx: Tx, reference: string): Promise<ChangeRequest | undefined> {
  const requests = await listWaiting(tx, ['safeguard'])
  return requests.find((one) => (one.payload.reference as string).toLowerCase() === reference.toLowerCase())
}

async function readToday(tx: Tx): Promise<string> {
  const { rows } = await sql<{ day: string }>`select seoul_date(service_now()) as day`.execute(tx)
  return rows[0]!.day
}
