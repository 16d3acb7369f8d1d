import type { Database } from '#base/db/db.ts'
import { listWaiting } from '#modules/approvals/store.ts'
import { listPartners } from '#modules/partners/store.ts'
import { listBookedReferences } from '#modules/payments/store.ts'
import { type BankFile, readBankFile } from '#modules/settlement/bank-file.ts'
import { type Match, matchDeposits } from '#modules/settlement/matching.ts'
import { openOf } from '#modules/settlement/rules.ts'
import { findLegalDetails, listStatements } from '#modules/settlement/store.ts'

const LOOKED_AT = 5_000 // statements: the newest, years of them

type BankRefusal = Extract<BankFile, { kind: 'refused' }>

// known: a payment of this reference is booked, or waits for a second person. So the same file again is no reason to pay twice.
interface KnownMatch extends Match {
  known: 'booked' | 'waiting' | null
}

// What came in at the bank, with the statements that it probably pays. Writes nothing.
export async function matchBankFile(
  { db }: Database,
  bytes: Uint8Array,
): Promise<{ kind: 'matched'; encoding: string; matches: KnownMatch[] } | BankRefusal> {
  const file = readBankFile(bytes)
  if (file.kind === 'refused') return file
  const statements = (await listStatements(db, { partnerId: null, limit: LOOKED_AT }))
    .map((one) => ({ number: one.number, partner: one.partner, open: openOf(one) }))
    .filter(({ open }) => open > 0n)
    .reverse()
  const payers = []
  for (const { id, code, name } of await listPartners(db)) {
    const legal = await findLegalDetails(db, id)
    payers.push({ partner: code, names: legal ? [code, name, legal.legalName] : [code, name] })
  }
  const matches = matchDeposits(file.deposits, statements, payers)
  const booked = await listBookedReferences(
    db,
    file.deposits.map(({ reference }) => reference),
  )
  const waiting = new Set((await listWaiting(db, ['payment'])).map(({ payload }) => lower(payload.reference)))
  const known = ({ deposit }: Match) => {
    const reference = lower(deposit.reference)
    return booked.has(reference) ? 'booked' : waiting.has(reference) ? 'waiting' : null
  }
  return {
    kind: 'matched',
    encoding: file.encoding,
    matches: matches.map((match) => ({ ...match, known: known(match) })),
  }
}

const lower = (reference: unknown) => String(reference).toLowerCase()
