import { assert } from '#base/assert.ts'
import type { Database } from '#base/db/db.ts'
import { idOf, type NamedGroup, type NotClosed } from '#flows/books/read-day.ts'
import { type Refusal, refused } from '#flows/kit/outcome.ts'
import { findClosedDay, listAccountLines, readClosedBalances } from '#modules/closed-days/store.ts'
import type { AccountGroup, Balance, ClosedDay, Line } from '#modules/closed-days/types.ts'
import { mapPartnerCodes } from '#modules/partners/store.ts'

export type StatementRefusal =
  | NotClosed
  | Refusal<'period_empty'>
  | Refusal<'account_not_found', { account: string; accounts: string[] }>
  | Refusal<'partner_not_found', { partner: string }>

export interface AccountStatement extends NamedGroup {
  opening: bigint
  lines: Line[]
  closing: bigint
}

interface StatementCommand {
  account: string
  asset?: string | undefined
  partner?: string | undefined
  // The first day, and the first day after the period.
  from: string
  to: string
}

// Accounts over closed days: opening balance, movements by day and kind, closing balance. Made of closed days alone, so it is the
// same whenever it is asked for.
export async function readAccountStatement(
  database: Database,
  { account, asset, partner, from, to }: StatementCommand,
): Promise<{ kind: 'statement'; lastDay: ClosedDay; accounts: AccountStatement[] } | StatementRefusal> {
  if (from >= to) return refused('period_empty')
  const before = (day: string) => Temporal.PlainDate.from(day).subtract({ days: 1 }).toString()
  const lastDay = await findClosedDay(database, before(to))
  if (!lastDay) return refused('not_closed', { day: before(to) })
  const codes = await mapPartnerCodes(database)
  const partnerId = partner === undefined ? undefined : idOf(codes, partner)
  if (partner !== undefined && partnerId === undefined) return refused('partner_not_found', { partner })
  const isAsked = (group: AccountGroup) =>
    group.account === account &&
    (asset === undefined || group.asset === asset) &&
    (partnerId === undefined || group.partnerId === partnerId)
  const closing = await readClosedBalances(database, lastDay.day)
  const groups = closing.filter(isAsked)
  if (groups.length === 0) {
    const accounts = [...new Set(closing.map((one) => one.account))].sort()
    if (!accounts.includes(account)) return refused('account_not_found', { account, accounts })
  }
  const opening = await readClosedBalances(database, before(from))
  const lines = (await listAccountLines(database, { account, from, to })).filter(isAsked)
  const accounts = groups.map((group) => ({
    ...stateOf(group, opening, lines),
    account: group.account,
    asset: group.asset,
    partner: codes.get(group.partnerId) ?? null,
  }))
  return { kind: 'statement', lastDay, accounts }
}

function stateOf(group: Balance, openings: readonly Balance[], all: readonly Line[]) {
  const isSame = (one: AccountGroup) => one.asset === group.asset && one.partnerId === group.partnerId
  const opening = openings.find((one) => one.account === group.account && isSame(one))?.balance ?? 0n
  const lines = all.filter(isSame)
  const moved = lines.reduce((sum, { credit, debit }) => sum + credit - debit, 0n)
  assert(opening + moved === group.balance, 'closed days follow from one another')
  return { opening, lines, closing: group.balance }
}
