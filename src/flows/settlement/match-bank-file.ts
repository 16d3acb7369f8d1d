import type { Database } from '#base/db/db.ts'
import { listPartners } from '#modules/partners/store.ts'
import { type BankFile, readBankFile } from '#modules/settlement/bank-file.ts'
import { type Match, matchDeposits } from '#modules/settlement/matching.ts'
import { openOf } from '#modules/settlement/rules.ts'
import { findLegalDetails, listStatements } from '#modules/settlement/store.ts'

const LOOKED_AT = 5_000 // statements: the newest, years of them

type BankRefusal = Extract<BankFile, { kind: 'refused' }>

// What came in at the bank, with the statements that it probably pays. Writes nothing.
export async function matchBankFile(
  { db }: Database,
  bytes: Uint8Array,
): Promise<{ kind: 'matched'; encoding: string; matches: Match[] } | BankRefusal> {
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
  return {
    kind: 'matched',
    encoding: file.encoding,
    matches: matchDeposits(file.deposits, statements, payers),
  }
}
