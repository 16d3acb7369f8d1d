import { sql } from 'kysely'
import type { Db, Reader, Tx } from '#base/db.ts'
import type { Channel, DeliveryKey, Purpose, Status } from './types.ts'

// To ask about now. Put off for as long as the question may take, so that nobody else asks it too.
export interface Question {
  id: bigint
  key: DeliveryKey
  attempt: number
  provider: string
  messageId: string | null
  triedAt: Temporal.Instant
  recipient: Buffer
}

interface QuestionRow extends Omit<Question, 'key' | 'messageId' | 'triedAt'> {
  card_id: string
  channel: Channel
  purpose: Purpose
  ordinal: number
  message_id: string | null
  tried_at: Temporal.Instant
}

// Whether they are settled is asked in a way that keeps the planner from the index of what is open: while much waits, it
// is no way to find the given ones.
export async function takeQuestions(tx: Tx, ids: readonly bigint[], forMs: number): Promise<Question[]> {
  const { rows } = await sql<QuestionRow>`
    update delivery d set due_at = clock_timestamp() + make_interval(secs => ${forMs / 1000})
      from (select id from delivery
             where id = any(${ids}::bigint[]) and num_nulls(settled_at) = 1 and status in ('accepted', 'unknown')
               and due_at <= now()
             order by id for no key update skip locked) due, gift_card c
     where d.id = due.id and c.id = d.card_id
    returning d.id, d.attempt, d.provider, d.message_id, d.tried_at, d.card_id, d.channel, d.purpose, d.ordinal,
              c.recipient`.execute(tx)
  return rows.map(({ card_id, channel, purpose, ordinal, message_id, tried_at, ...row }) => ({
    ...row,
    key: { cardId: card_id, channel, purpose, ordinal },
    messageId: message_id,
    triedAt: tried_at,
  }))
}

export interface Neglected {
  id: bigint
  channel: Channel
  attempt: number
  absences: number
}

// lost: begun, and never ended. Otherwise by status: nobody took it up when it was due.
export type Neglect = 'lost' | 'queued' | 'unknown' | 'accepted'

// What should have been done: its job died with a worker, or never was.
export async function listNeglected(
  db: Db,
  neglect: Neglect,
  { afterMs, limit }: { afterMs: number; limit: number },
): Promise<Neglected[]> {
  const { rows } = await sql<Neglected>`
    select id, channel, attempt, absences from delivery
     where settled_at is null and channel in ('alimtalk', 'text')
       and due_at < now() - make_interval(secs => ${afterMs / 1000})
       and ${neglect === 'lost' ? sql`claimed_until < now()` : sql`status = ${neglect} and claimed_until is null`}
     order by due_at limit ${limit}`.execute(db)
  return rows
}

// Jobs that are ready and wait: the workers are behind, and more jobs would not help them.
export async function hasBacklog(db: Db): Promise<boolean> {
  const { rows } = await sql<{ behind: boolean }>`
    select exists (select from graphile_worker.jobs
                    where task_identifier in ('send_deliveries', 'ask_deliveries') and locked_at is null
                      and attempts < max_attempts and run_at < now() - interval '5 seconds') as behind`.execute(
    db,
  )
  return rows[0]!.behind
}

// A phone that is off is nobody's fault: what waits for it is told apart from what nobody takes.
const WAITING = {
  name: 'waiting_deliveries',
  text: `select channel, w.status, count(*)::int as count,
                greatest(extract(epoch from clock_timestamp() - min(due_at)), 0)::float8 as "overdueSeconds",
                extract(epoch from service_now() - min(created_at))::float8 as "oldestSeconds"
           from delivery
          cross join lateral (select case when status = 'queued' and failures > 0 then 'retrying'
                                          else status end as status) w
          where settled_at is null group by channel, w.status`,
}

interface Waiting extends Record<string, unknown> {
  channel: Channel
  status: Status | 'retrying'
  count: number
  overdueSeconds: number
  oldestSeconds: number
}

// For whoever watches the service.
export function listWaiting(database: Reader) {
  return database.read<Waiting>(WAITING, [])
}
