import { createHash } from 'node:crypto'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { insertMonth, listClosedMonths, lockMonths } from '#modules/closed-months/store.ts'
import type { ClosedMonth, MonthData, MonthItem } from '#modules/closed-months/types.ts'
import { type MonthDeps, type MonthEnd, readMonthEnd } from './read-month.ts'

export type MonthRefusal =
  | Refusal<'month_not_over', { month: string; today: string }>
  | Refusal<'month_before_first', { month: string; first: string | null }>
  | Refusal<'month_out_of_order', { month: string; next: string }>
  // blocking: what has to be done first.
  | Refusal<'month_blocked', { month: string; blocking: MonthItem[] }>

// already: it was closed before, and nothing was done.
type MonthOutcome = { kind: 'closed' | 'already'; closed: ClosedMonth } | MonthRefusal

// Closes a month for good. What it is made of cannot become less while it is read: closed days and statements never go away.
export async function closeMonth(
  deps: MonthDeps,
  { month, actor }: { month: string; actor: string },
): Promise<MonthOutcome> {
  const end = await readMonthEnd(deps, month)
  if (end.closed) return { kind: 'already', closed: end.closed }
  const refusal = refuseMonth(end)
  if (refusal) return refusal
  const throughId = end.reading.days.at(-1)!.throughId
  const data = JSON.stringify(dataOf(end, throughId))
  const outcome = await withOutcome(deps.database, async (tx) => {
    // Of two at once the second finds the first.
    const last = await lockMonths(tx)
    if ((last?.month ?? null) !== (end.months[0]?.month ?? null)) return { kind: 'overtaken' as const }
    const previousHash = last?.hash ?? null
    const hash = createHash('sha256')
      .update(previousHash ?? Buffer.alloc(0))
      .update(data)
      .digest()
    await insertMonth(tx, { month, throughId, data, closedBy: actor, previousHash, hash })
    await insertAuditEntry(tx, {
      actor,
      action: 'books.close_month',
      subject: month,
      // Anchored with the audit log: a closed month that was rewritten or cut off is found by it.
      details: { throughId: throughId.toString(), hash: hash.toString('hex') },
    })
    return { kind: 'closed' as const }
  })
  const closed = (await listClosedMonths(deps.database, 1))[0]!
  return { kind: outcome.kind === 'closed' ? 'closed' : 'already', closed }
}

function refuseMonth({ month, place, today, firstMonth, next, items }: MonthEnd): MonthRefusal | undefined {
  if (place === 'before_first') return refused('month_before_first', { month, first: firstMonth })
  if (place === 'not_over') return refused('month_not_over', { month, today })
  if (place === 'out_of_order') return refused('month_out_of_order', { month, next })
  const blocking = items.filter(({ state }) => state === 'blocks')
  return blocking.length > 0 ? refused('month_blocked', { month, blocking }) : undefined
}

// Numbers as text: exact in any reader.
function dataOf({ month, items, reading }: MonthEnd, throughId: bigint): MonthData {
  return {
    version: 1,
    month,
    throughId: throughId.toString(),
    days: reading.days.map(({ day, hash }) => ({ day, hash: hash.toString('hex') })),
    statements: reading.statements
      .map(({ number, hash }) => ({ number, hash: hash.toString('hex') }))
      .sort((a, b) => (a.number < b.number ? -1 : 1)),
    warnings: items.filter(({ state }) => state === 'warns').map(({ kind, count }) => ({ kind, count })),
  }
}
