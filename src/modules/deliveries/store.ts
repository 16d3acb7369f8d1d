import { sql } from 'kysely'
import type { Db, Reader, Tx } from '#base/db/db.ts'
import type {
  Channel,
  DeliveryChange,
  DeliveryKey,
  DeliveryState,
  MessageKind,
  Purpose,
  SendsOfCard,
  Status,
} from './types.ts'

export interface StateRow {
  id: bigint
  channel: Channel
  status: Status
  attempt: number
  claimed: boolean
  settled: boolean
  provider: string | null
  message_id: string | null
  reason: string | null
  barred: string[]
  avoided: string[]
  failures: number
  absences: number
  trying_ms: number
  tried_ms: number
}

export const STATE = sql`d.id, d.channel, d.status, d.attempt, d.claimed_until is not null as claimed,
  d.settled_at is not null as settled, d.provider, d.message_id, d.reason, d.barred, d.avoided,
  d.failures, d.absences, coalesce(extract(epoch from clock_timestamp() - d.first_tried_at) * 1000, 0)::float8 as trying_ms,
  coalesce(extract(epoch from clock_timestamp() - d.tried_at) * 1000, 0)::float8 as tried_ms`

export function toState({ message_id, trying_ms, tried_ms, ...row }: StateRow): DeliveryState {
  return { ...row, messageId: message_id, tryingMs: trying_ms, triedMs: tried_ms }
}

// In id order, so that two who note the same messages never wait for each other.
export async function lockDeliveries(
  tx: Tx,
  kind: MessageKind,
  ids: readonly bigint[],
): Promise<DeliveryState[]> {
  const { rows } = await sql<StateRow>`select ${STATE} from ${sql.table(kind)} d
    where d.id = any(${ids}::bigint[]) order by d.id for no key update`.execute(tx)
  return rows.map(toState)
}

// The card must be locked.
export async function lockDeliveriesOf(tx: Tx, cardId: string): Promise<DeliveryState[]> {
  const { rows } = await sql<StateRow>`select ${STATE} from delivery d
    where d.card_id = ${cardId} order by d.id for no key update`.execute(tx)
  return rows.map(toState)
}

// Without locks, to look only.
export async function listDeliveriesOf(db: Db, cardId: string): Promise<DeliveryState[]> {
  const { rows } = await sql<StateRow>`select ${STATE} from delivery d
    where d.card_id = ${cardId} order by d.id`.execute(db)
  return rows.map(toState)
}

export async function writeChanges(
  tx: Tx,
  kind: MessageKind,
  changes: readonly DeliveryChange[],
): Promise<void> {
  // A state and its history are one statement: neither is ever without the other. `(select service_now())` is asked
  // once for all rows, `service_now()` for each.
  await sql`
    with changed as (
      update ${sql.table(kind)} d
         set status = c.status, provider = c.provider, message_id = c.message_id, reason = c.reason,
             retryable = c.retryable, barred = string_to_array(c.barred, ' '),
             avoided = string_to_array(c.avoided, ' '), failures = c.failures, absences = c.absences,
             claimed_until = null,
             due_at = coalesce(clock_timestamp() + make_interval(secs => c.due_ms / 1000), d.due_at),
             settled_at = case when c.due_ms is null then (select service_now()) end
        from unnest(${changes.map((c) => c.id)}::bigint[], ${changes.map((c) => c.status)}::text[],
                    ${changes.map((c) => c.provider)}::text[], ${changes.map((c) => c.messageId)}::text[],
                    ${changes.map((c) => c.reason)}::text[], ${changes.map((c) => c.retryable)}::boolean[],
                    ${changes.map((c) => c.barred.join(' '))}::text[],
                    ${changes.map((c) => c.avoided.join(' '))}::text[],
                    ${changes.map((c) => c.failures)}::smallint[], ${changes.map((c) => c.absences)}::smallint[],
                    ${changes.map((c) => c.dueInMs)}::float8[], ${changes.map((c) => c.isNews)}::boolean[])
             as c (id, status, provider, message_id, reason, retryable, barred, avoided, failures, absences, due_ms, is_news)
       where d.id = c.id
      returning d.id, d.attempt, d.status, d.provider, d.reason, c.is_news)
    insert into ${sql.table(`${kind}_event`)} (${sql.ref(`${kind}_id`)}, attempt, at, status, provider, reason)
    select id, attempt, (select service_now()), status, provider, reason from changed where is_news order by id`.execute(
    tx,
  )
}

export type DeliveryTask = 'send' | 'query'

// These names are in databases and in the release before: they are not renamed.
export const JOBS = {
  delivery: { send: 'send_deliveries', query: 'ask_deliveries', priority: 0 },
  // Ahead of the cards' messages, as in the migration that adds the first job.
  notice: { send: 'send_notices', query: 'ask_notices', priority: -10 },
} as const satisfies Record<MessageKind, Record<DeliveryTask, string> & { priority: number }>

export interface DeliveryJob {
  channel: Channel
  ids: readonly bigint[]
  // In so many milliseconds, or when its messages are due.
  due: number | Temporal.Instant
  // Its messages may share a request with others: another job may take it over.
  together: boolean
}

export async function addDeliveryJob(
  tx: Tx,
  kind: MessageKind,
  task: DeliveryTask,
  { channel, ids, due, together }: DeliveryJob,
): Promise<void> {
  const runAt =
    typeof due === 'number'
      ? sql`clock_timestamp() + make_interval(secs => ${due / 1000})`
      : sql`${due.toString()}::timestamptz`
  const payload = JSON.stringify({ channel, ids: ids.map(Number), ...(together && { together }) })
  await sql`select add_message_jobs(${JOBS[kind][task]}, ${JOBS[kind].priority}, ${runAt}, array[${payload}::json])`.execute(
    tx,
  )
}

// The oldest messages of jobs that wait to send, as many as there is room for: many small jobs become few requests, and none is left
// that finds nothing to do. The jobs go with the transaction in which their messages are claimed. A job that failed stays alone, or
// what made it fail would hold up all others. Only jobs near the front are looked at, however many wait. About as many are locked as
// fit, so that other claims find some too. What does not fit of the last one stays in it.
export async function takeOverJobs(
  tx: Tx,
  kind: MessageKind,
  { channel, room }: { channel: Channel; room: number },
): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    with front as materialized (
      select id, run_at, task_id, payload from graphile_worker._private_jobs
       where is_available and job_queue_id is null and priority = ${JOBS[kind].priority} and run_at <= now()
       order by run_at limit ${2 * room + 20}),
    alike as (
      select id, run_at, json_array_length(payload -> 'ids') as messages from front
       where task_id = (select id from graphile_worker._private_tasks where identifier = ${JOBS[kind].send})
         and payload ->> 'channel' = ${channel} and payload ->> 'together' = 'true'),
    locked as materialized (
      select j.id, a.run_at, j.payload, json_array_length(j.payload -> 'ids') as messages
        from alike a join graphile_worker._private_jobs j on j.id = a.id
       where j.locked_at is null and j.attempts = 0
       order by a.run_at, a.id limit (select ceil(${room}::int / nullif(avg(messages), 0)) from alike)
         for update of j skip locked),
    fitting as (
      select id, payload, messages, ${room}::int - before as room
        from (select *, sum(messages) over (order by run_at, id) - messages as before from locked) w
       where before < ${room}),
    gone as (delete from graphile_worker._private_jobs where id in (select id from fitting where messages <= room)),
    rest as (
      update graphile_worker._private_jobs j
         set payload = json_build_object('channel', ${channel}::text, 'together', true, 'ids',
               (select json_agg(value order by i) from json_array_elements(f.payload -> 'ids') with ordinality e (value, i) where i > f.room))
        from fitting f where j.id = f.id and f.messages > f.room)
    select value::bigint as id from fitting
     cross join json_array_elements_text(payload -> 'ids') with ordinality e (value, i) where i <= room`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

const IDS_OF_KEYS = {
  name: 'delivery_ids_of_keys',
  text: `select k.i::int, d.id
    from unnest($1::uuid[], $2::text[], $3::text[], $4::int[]) with ordinality as k (card_id, channel, purpose, ordinal, i)
   cross join lateral (select id from delivery
                        where card_id = k.card_id and channel = k.channel and purpose = k.purpose
                          and ordinal = k.ordinal) d`,
}

// In the order of the keys; undefined where there is no such message.
export async function findDeliveryIds(
  database: Reader,
  keys: readonly DeliveryKey[],
): Promise<(bigint | undefined)[]> {
  const rows = await database.read<{ i: number; id: bigint }>(IDS_OF_KEYS, [
    keys.map((key) => key.cardId),
    keys.map((key) => key.channel),
    keys.map((key) => key.purpose),
    keys.map((key) => key.ordinal),
  ])
  const ids = new Array<bigint | undefined>(keys.length).fill(undefined)
  for (const { i, id } of rows) ids[i - 1] = id
  return ids
}

export async function insertDeliveries(
  tx: Tx,
  cardId: string,
  messages: readonly { channel: Channel; purpose: Purpose; ordinal: number }[],
): Promise<void> {
  await tx
    .insertInto('delivery')
    .values(
      messages.map((message) => ({
        card_id: cardId,
        ...message,
        created_at: sql<Temporal.Instant>`service_now()`,
      })),
    )
    .execute()
}

// One for each channel and card: one that is there already is enough.
export async function insertCancellations(
  tx: Tx,
  cardIds: readonly string[],
  channels: readonly Channel[],
): Promise<void> {
  if (cardIds.length === 0 || channels.length === 0) return
  await sql`insert into delivery (card_id, channel, purpose, created_at)
    select card_id, channel, 'cancellation', service_now()
      from unnest(${cardIds}::uuid[]) as card_id cross join unnest(${channels}::text[]) as channel
    on conflict do nothing`.execute(tx)
}

interface SendRow {
  channel: Channel
  purpose: Purpose
  ordinal: number
  is_open: boolean
  age_seconds: number
  is_past: boolean
}

export async function listSends(db: Db, cardId: string): Promise<SendsOfCard> {
  const { rows } = await sql<SendRow>`
    select d.channel, d.purpose, d.ordinal, d.settled_at is null and (d.status <> 'accepted' or d.tried_at > now() - interval '10 minutes') as is_open,
           extract(epoch from service_now() - d.created_at)::float8 as age_seconds,
           c.expires_on < seoul_date(service_now()) as is_past
      from delivery d join gift_card c on c.id = d.card_id
     where d.card_id = ${cardId} and d.purpose <> 'reminder' order by d.id`.execute(db)
  return {
    isPast: rows.some((row) => row.is_past),
    sends: rows.map(({ is_open, age_seconds, is_past: _, ...row }) => ({
      ...row,
      isOpen: is_open,
      ageSeconds: age_seconds,
    })),
  }
}

// The history of messages that ended six years ago: by then no card they were about can be refunded. The oldest have the
// smallest ids, so the look stops at the first chunk that is younger. The message is asked for one by one: joined, the planner
// might read all messages.
export async function deleteOldEvents(tx: Tx, limit: number): Promise<bigint> {
  const result = await sql`delete from delivery_event where id = any(array(
      select e.id from (select id, delivery_id, at from delivery_event order by id limit ${limit}) e
       where e.at < (select service_now()) - interval '6 years'
         and (select d.settled_at from delivery d where d.id = e.delivery_id)
             < (select service_now()) - interval '6 years'))`.execute(tx)
  return result.numAffectedRows ?? 0n
}
