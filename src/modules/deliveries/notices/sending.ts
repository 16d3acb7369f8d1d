import { sql } from 'kysely'
import type { Reader, Tx } from '#base/db/db.ts'
import type { StatusQuery } from '#modules/deliveries/query-status.ts'
import { formatNoticeKey } from '#modules/deliveries/rules.ts'
import { STATE, type StateRow, toState } from '#modules/deliveries/store.ts'
import type { Sendable, Wanted } from '#modules/deliveries/types.ts'
import { NOTICE_COLUMNS, type NoticeRow, toNoticeContent } from './store.ts'
import type { NoticeContent } from './types.ts'

const SENDABLE = sql`select ${STATE}, ${sql.raw(NOTICE_COLUMNS)} from notice d
  where d.status = 'queued' and d.claimed_until is null and d.due_at <= now()`

// Like the cards' messages: the given ones that are due.
export async function lockSendableNotices(
  tx: Tx,
  { ids, withDoubtful }: Wanted,
): Promise<(Sendable & { message: NoticeContent })[]> {
  const { rows } = await sql<StateRow & NoticeRow>`${SENDABLE} and d.id = any(${ids}::bigint[])
      and (${withDoubtful} or d.absences = 0)
    order by d.id for no key update of d skip locked`.execute(tx)
  return rows.map(toSendable)
}

// Nothing makes a notice not worth sending.
function toSendable(row: StateRow & NoticeRow): Sendable & { message: NoticeContent } {
  return { state: toState(row), dropped: null, waits: false, message: toNoticeContent(row) }
}

interface StatusQueryRow {
  id: bigint
  key: string
  attempt: number
  provider: string
  message_id: string | null
  tried_at: Temporal.Instant
  recipient: Buffer
}

export async function takeNoticeQueries(
  tx: Tx,
  ids: readonly bigint[],
  forMs: number,
): Promise<StatusQuery[]> {
  const { rows } = await sql<StatusQueryRow>`
    update notice d set due_at = clock_timestamp() + make_interval(secs => ${forMs / 1000})
      from (select id from notice
             where id = any(${ids}::bigint[]) and num_nulls(settled_at) = 1 and status in ('accepted', 'unknown')
               and due_at <= now()
             order by id for no key update skip locked) due
     where d.id = due.id
    returning d.id, d.key, d.attempt, d.provider, d.message_id, d.tried_at, d.recipient`.execute(tx)
  return rows.map(({ id, key, attempt, provider, message_id, tried_at, recipient }) => ({
    id,
    key: formatNoticeKey(key),
    channel: 'text',
    attempt,
    provider,
    messageId: message_id,
    triedAt: tried_at,
    recipient: { sealed: recipient, table: 'notice', row: key },
  }))
}

const IDS_OF_KEYS = {
  name: 'notice_ids_of_keys',
  text: 'select id, key from notice where key = any($1::uuid[])',
}

// The notices that providers report on; undefined if there is no such notice.
export async function findNoticeIds(
  database: Reader,
  keys: readonly string[],
): Promise<(bigint | undefined)[]> {
  const rows = await database.read<{ id: bigint; key: string }>(IDS_OF_KEYS, [keys])
  const ids = new Map(rows.map(({ id, key }) => [key, id]))
  return keys.map((key) => ids.get(key))
}
