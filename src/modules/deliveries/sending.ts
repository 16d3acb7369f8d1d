import { sql } from 'kysely'
import type { Tx } from '#base/db/db.ts'
import { MESSAGE_COLUMNS, type MessageContent, type MessageRow, toMessageContent } from './message-content.ts'
import { STATE, type StateRow, toState } from './store.ts'
import type { Dropped, FoundAttempt, MessageKind, Sendable, Wanted } from './types.ts'

interface SendableRow extends StateRow, MessageRow {
  standing: Dropped | 'waits' | null
}

// A cancellation is sent once it is certain that the card itself was sent on some channel, and that no message of it
// can arrive later.
const CANCELLATION = sql`(select case when bool_or(o.status = 'queued') then 'waits'
       when bool_or(o.status in ('accepted', 'delivered')) then null
       when bool_or(o.status = 'unknown' and o.settled_at is null) then 'waits'
       when bool_or(o.status = 'unknown') then null
       else 'card_unsent' end
  from delivery o where o.card_id = d.card_id and o.purpose <> 'cancellation')`

const SENDABLE = sql`select ${STATE}, ${sql.raw(MESSAGE_COLUMNS)},
    case when d.purpose = 'cancellation' then ${CANCELLATION}
         when c.status <> 'issued' then 'card_' || c.status
         when c.expires_on < (select seoul_date(service_now())) then 'card_expired' end as standing
  from delivery d
  join gift_card c on c.id = d.card_id
  join partner p on p.id = c.partner_id
 where d.status = 'queued' and d.claimed_until is null and d.due_at <= now()`

function toSendable(row: SendableRow): Sendable & { message: MessageContent } {
  const waits = row.standing === 'waits'
  const dropped = row.standing === 'waits' ? null : row.standing
  return { state: toState(row), dropped, waits, message: toMessageContent(row) }
}

// The given messages that are due. Rows that another worker holds are skipped.
export async function lockSendable(
  tx: Tx,
  { ids, withDoubtful }: Wanted,
): Promise<(Sendable & { message: MessageContent })[]> {
  const { rows } = await sql<SendableRow>`${SENDABLE} and d.id = any(${ids}::bigint[])
      and (${withDoubtful} or d.absences = 0)
    order by d.id for no key update of d skip locked`.execute(tx)
  return rows.map(toSendable)
}

// From this commit on the attempt counts as made, whatever happens to the process.
export async function markClaimed(
  tx: Tx,
  kind: MessageKind,
  claims: readonly { id: bigint; provider: string; version: number | null }[],
  leaseMs: number,
): Promise<Map<bigint, number>> {
  const { rows } = await sql<{ id: bigint; attempt: number }>`
    update ${sql.table(kind)} d
       set attempt = d.attempt + 1, provider = c.provider, message_id = null, reason = null,
           claimed_until = clock_timestamp() + make_interval(secs => ${leaseMs / 1000}),
           tried_at = clock_timestamp(), first_tried_at = coalesce(d.first_tried_at, clock_timestamp()),
           sent_at = (select service_now())${kind === 'delivery' ? sql`, text_version = c.version` : sql``}
      from unnest(${claims.map((c) => c.id)}::bigint[], ${claims.map((c) => c.provider)}::text[],
                  ${claims.map((c) => c.version)}::smallint[]) as c (id, provider, version)
     where d.id = c.id
    returning d.id, d.attempt`.execute(tx)
  return new Map(rows.map(({ id, attempt }) => [id, attempt]))
}

// The lost attempt counts as made, and its provider is asked what became of it.
export async function takeOverAttempts(
  tx: Tx,
  kind: MessageKind,
  found: readonly { id: bigint; version: number | null; lost: FoundAttempt }[],
): Promise<void> {
  await sql`
    with changed as (
      update ${sql.table(kind)} d
         set attempt = greatest(d.attempt, f.attempt), provider = f.provider, message_id = f.message_id,
             status = 'unknown', reason = 'restored', due_at = clock_timestamp(), tried_at = f.sent_at,
             first_tried_at = coalesce(d.first_tried_at, f.sent_at),
             sent_at = (select service_now()) - (now() - f.sent_at)
             ${kind === 'delivery' ? sql`, text_version = coalesce(d.text_version, f.version)` : sql``}
        from unnest(${found.map(({ id }) => id)}::bigint[], ${found.map(({ lost }) => lost.attempt)}::smallint[],
                    ${found.map(({ lost }) => lost.provider)}::text[],
                    ${found.map(({ lost }) => lost.messageId)}::text[],
                    ${found.map(({ lost }) => lost.sentAt.toString())}::timestamptz[],
                    ${found.map(({ version }) => version)}::smallint[])
             as f (id, attempt, provider, message_id, sent_at, version)
       where d.id = f.id
      returning d.id, d.attempt, d.provider)
    insert into ${sql.table(`${kind}_event`)} (${sql.ref(`${kind}_id`)}, attempt, at, status, provider, reason)
    select id, attempt, (select service_now()), 'unknown', provider, 'restored' from changed order by id`.execute(
    tx,
  )
}
