import { sql } from 'kysely'
import type { Db, Reader } from '#base/db/db.ts'
import type { Channel, MessageKind, Status } from './types.ts'

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
