import { sql } from 'kysely'
import type { Db, Reader } from '#base/db/db.ts'
import { JOBS } from './store.ts'
import type { Channel, MessageKind, Status } from './types.ts'

export interface Neglected {
  id: bigint
  channel: Channel
  attempt: number
  absences: number
  dueAt: Temporal.Instant
  hasJob: boolean
}

// lost: the attempt began and never ended. Otherwise the status of a message that was due and not picked up.
export type Neglect = 'lost' | 'queued' | 'unknown' | 'accepted'

const JOB_DELAY = '5 seconds' // by which a job may be due later than its message

// What should have been done, the oldest first: its job died with a worker, never was, or waits. Jobs run in the order in which they are due.
// So while workers are behind, a message that was due after the first one that waits has one, or has time until then.
export async function listNeglected(
  db: Db,
  kind: MessageKind,
  neglect: Neglect,
  { afterMs, limit }: { afterMs: number; limit: number },
): Promise<Neglected[]> {
  const { priority, send, query } = JOBS[kind]
  const { rows } = await sql<Neglected>`
    with behind as (
      select run_at - ${JOB_DELAY}::interval as since from graphile_worker._private_jobs
       where is_available and priority = ${priority} and run_at < now()
         and task_id in (select id from graphile_worker._private_tasks where identifier in (${send}, ${query}))
       order by run_at limit 1)
    select id, channel, attempt, absences, due_at as "dueAt",
           coalesce(due_at >= (select since from behind), false) as "hasJob"
      from ${sql.table(kind)}
     where settled_at is null and channel in ('alimtalk', 'text')
       and due_at < now() - make_interval(secs => ${afterMs / 1000})
       and ${neglect === 'lost' ? sql`claimed_until < now()` : sql`status = ${neglect} and claimed_until is null`}
     order by due_at limit ${limit}`.execute(db)
  return rows
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
