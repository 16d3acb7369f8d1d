import type { Database } from '#base/db/db.ts'
import { seoulDate } from '#base/time/seoul-time.ts'
import { serviceNow } from '#base/time/service-clock.ts'
import { listPartners } from '#modules/partners/store.ts'
import { monthPeriod } from '#modules/settlement/rules.ts'
import { listStatements } from '#modules/settlement/store.ts'
import type { Period, Statement } from '#modules/settlement/types.ts'

const LISTED = 500 // more would not be read on a page

// A period that is over and has no statement yet.
interface DueStatement {
  partner: string
  period: Period
}

export interface StatementsPage {
  statements: Statement[]
  due: DueStatement[]
}

// Of all partners, or of one. due: for each partner the month after its last statement, or last month if it has none.
export async function readStatements(database: Database, partnerId: number | null): Promise<StatementsPage> {
  const { db } = database
  const statements = await listStatements(db, { partnerId, limit: LISTED })
  if (partnerId !== null) return { statements, due: [] }
  const today = seoulDate(await serviceNow(database))
  const ends = new Map<string, string>()
  for (const { partner, period } of statements) if (!ends.has(partner)) ends.set(partner, period.to)
  const due = (await listPartners(db)).map(({ code }) => ({
    partner: code,
    period: periodAfter(
      ends.get(code) ?? monthPeriod(today.subtract({ months: 1 }).toString().slice(0, 7)).from,
    ),
  }))
  return { statements, due: due.filter(({ period }) => period.to <= today.toString()) }
}

// To the end of its month.
function periodAfter(from: string): Period {
  return { from, to: monthPeriod(from.slice(0, 7)).to }
}
