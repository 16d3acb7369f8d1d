import { sql } from 'kysely'
import type { Db, Reader, Tx } from '#base/db.ts'
import { formatKey } from './rules.ts'
import type { Channel, MessageKind, Purpose, Status } from './types.ts'

// A message to ask the provider about now. Its next question is postponed for as long as this one may take, so that
// no other worker asks too.
export interface StatusQuery {
  id: bigint
  // As it travelled with the message.
  key: string
  channel: Channel
  attempt: number
  provider: string
  messageId: string | null
  triedAt: Temporal.Instant
  recipient: { sealed: Buffer; table: string; row: string }
}

interface StatusQueryRow {
  id: bigint
  channel: Channel
  attempt: number
  provider: string
  recipient: Buffer
  card_id: string
  purpose: Purpose
  ordinal: number
  message_id: string | null
  tried_at: Temporal.Instant
}

// `num_nulls(settled_at) = 1` means `settled_at is null`, but keeps the planner off the index of open messages. While many
// are open, that index is a slow way to find the given ids.
export async function takeStatusQueries(
  tx: Tx,
  ids: readonly bigint[],
  forMs: number,
): Promise<StatusQuery[]> {
  const { rows } = await sql<StatusQueryRow>`
    update delivery d set due_at = clock_timestamp() + make_interval(secs => ${forMs / 1000})
      from (select id from delivery
             where id = any(${ids}::bigint[]) and num_nulls(settled_at) = 1 and status in ('accepted', 'unknown')
               and due_at <= now()
             order by id for no key update skip locked) due, gift_card c
     where d.id = due.id and c.id = d.card_id
    returning d.id, d.attempt, d.provider, d.message_id, d.tried_at, d.card_id, d.channel, d.purpose, d.ordinal,
              c.recipient`.execute(tx)
  return rows.map(({ card_id, purpose, ordinal, message_id, tried_at, recipient, ...row }) => ({
    ...row,
    key: formatKey({ cardId: card_id, channel: row.channel, purpose, ordinal }),
    messageId: message_id,
    triedAt: tried_at,
    recipient: { sealed: recipient, table: 'gift_card', row: card_id },
  }))
}

export interface Neglected {
  id: bigint
  channel: Channel
  attempt: number
  absences: number
}

// lost: the attempt began and never ended. Otherwise the status of a message that was due and not picked up.
export type Neglect = 'lost' | 'queued' | 'unknown' | 'accepted'

// What should have been done: its job died with a worker, or never was.
export async function listNeglected(
  db: Db,
  kind: MessageKind,
  neglect: Neglect,
  { afterMs, limit }: { afterMs: number; limit: number },
): Promise<Neglected[]> {
  const { rows } = await sql<Neglected>`
    select id, channel, attempt, absences from ${sql.table(kind)}
     where settled_at is null and channel in ('alimtalk', 'text')
       and due_at < now() - make_interval(secs => ${afterMs / 1000})
       and ${neglect === 'lost' ? sql`claimed_until < now()` : sql`status = ${neglect} and claimed_until is null`}
     order by due_at limit ${limit}`.execute(db)
  return rows
}

const JOB_NAMES: Record<MessageKind, readonly string[]> = {
  delivery: ['send_deliveries', 'ask_deliveries'],
  notice: ['send_notices', 'ask_notices'],
}

// Jobs that are ready and wait: the workers are behind, and more jobs would not help them.
export async function hasBacklog(db: Db, kind: MessageKind): Promise<boolean> {
  const { rows } = await sql<{ behind: boolean }>`
    select exists (select from graphile_worker.jobs
                    where task_identifier = any(${JOB_NAMES[kind]}::text[]) and locked_at is null
                      and attempts < max_attempts and run_at < now() - interval '5 seconds') as behind`.execute(
    db,
  )
  return rows[0]!.behind
}

// Messages that wait for a phone that is off are counted apart from those that no provider takes.
const WAITING = {
  name: 'waiting_deliveries',
  text: `select m.channel, w.status, count(*)::int as count,
                greatest(extract(epoch from clock_timestamp() - min(due_at)), 0)::float8 as "overdueSeconds",
                extract(epoch from service_now() - min(created_at))::float8 as "oldestSeconds"
           from (select channel, status, failures, due_at, created_at from delivery where settled_at is null
                 union all
                 select 'notice', status, failures, due_at, created_at from notice where settled_at is null) m
          cross join lateral (select case when m.status = 'queued' and failures > 0 then 'retrying'
                                          else m.status end as status) w
          group by m.channel, w.status`,
}

interface Waiting extends Record<string, unknown> {
  // Notices are counted apart from the cards' texts.
  channel: Channel | 'notice'
  status: Status | 'retrying'
  count: number
  overdueSeconds: number
  oldestSeconds: number
}

// For monitoring.
export function listWaiting(database: Reader) {
  return database.read<Waiting>(WAITING, [])
}
