import type { Database } from '#base/db/db.ts'
import { seoulDate } from '#base/time/seoul-time.ts'
import { serviceNow } from '#base/time/service-clock.ts'
import { monthPeriod } from '#modules/settlement/rules.ts'
import { listNextDays, listStatements } from '#modules/settlement/store.ts'
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

// Of all partners, or of one. due: for each partner its next period, to the end of the month, if that is over.
export async function readStatements(database: Database, partnerId: number | null): Promise<StatementsPage> {
  const { db } = database
  const statements = await listStatements(db, { partnerId, limit: LISTED })
  if (partnerId !== null) return { statements, due: [] }
  const today = seoulDate(await serviceNow(database)).toString()
  const due = (await listNextDays(db)).map(({ partner, from }) => ({
    partner,
    period: { from, to: monthPeriod(from.slice(0, 7)).to },
  }))
  return { statements, due: due.filter(({ period }) => period.to <= today) }
}
