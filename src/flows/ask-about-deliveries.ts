import type { Database } from '#base/db.ts'
import { type Question, takeQuestions } from '#modules/deliveries/questions.ts'
import { LEASE_MS } from '#modules/deliveries/rules.ts'

// Of these, the ones to ask a provider about now.
export function takeDueQuestions(database: Database, ids: readonly bigint[]): Promise<Question[]> {
  return database.withTransaction((tx) => takeQuestions(tx, ids, LEASE_MS))
}
