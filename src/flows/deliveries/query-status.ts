import type { Database } from '#base/db.ts'
import { takeNoticeQuestions } from '#modules/deliveries/notices/sending.ts'
import { LEASE_MS } from '#modules/deliveries/rules.ts'
import { type Question, takeQuestions } from '#modules/deliveries/status-queries.ts'
import type { MessageKind } from '#modules/deliveries/types.ts'

const TAKE = { delivery: takeQuestions, notice: takeNoticeQuestions } as const

// Of these, the ones to ask a provider about now.
export function takeDueQuestions(
  database: Database,
  kind: MessageKind,
  ids: readonly bigint[],
): Promise<Question[]> {
  return database.withTransaction((tx) => TAKE[kind](tx, ids, LEASE_MS))
}
