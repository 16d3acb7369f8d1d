import type { Database } from '#base/db/db.ts'
import { takeNoticeQueries } from '#modules/deliveries/notices/sending.ts'
import { type StatusQuery, takeStatusQueries } from '#modules/deliveries/query-status.ts'
import { LEASE_MS } from '#modules/deliveries/rules.ts'
import type { MessageKind } from '#modules/deliveries/types.ts'

const TAKE = { delivery: takeStatusQueries, notice: takeNoticeQueries } as const

// The messages of these to ask a provider about now.
export function takeDueQueries(
  database: Database,
  kind: MessageKind,
  ids: readonly bigint[],
): Promise<StatusQuery[]> {
  return database.withTransaction((tx) => TAKE[kind](tx, ids, LEASE_MS))
}
