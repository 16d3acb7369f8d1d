import { sql } from 'kysely'
import type { Db, Reader, Tx } from '#base/db/db.ts'
import type { RetryFacts, RetryRefusal } from './retry.ts'
import type { Channel, Purpose, Status } from './types.ts'

// What failed messages have in common; null: any. Days are inclusive.
export interface RetryFilter {
  channel: Channel | null
  provider: string | null
  reason: string | null
  from: string
  to: string
}

export interface DeliveryRetry extends RetryFilter {
  id: string
  askedBy: string
  why: string
  createdAt: Temporal.Instant
  status: 'running' | 'stopped' | 'done'
  endedAt: Temporal.Instant | null
  endedBy: string | null
  total: number
  lastId: bigint
  throughId: bigint
  queued: number
  skipped: Partial<Record<RetryRefusal, number>>
}

const COLUMNS = `id, channel, provider, reason, failed_from::text as "from", failed_to::text as "to", asked_by as "askedBy", why,
  created_at as "createdAt", status, ended_at as "endedAt", ended_by as "endedBy", total, last_id as "lastId",
  through_id as "throughId", queued, skipped`

const matches = ({ channel, provider, reason, from, to }: RetryFilter) => sql`
  d.status = 'failed' and d.purpose in ('gift', 'resend')
  and d.settled_at >= ${from}::date::timestamp at time zone 'Asia/Seoul'
  and d.settled_at < (${to}::date + 1)::timestamp at time zone 'Asia/Seoul'
  and (${channel}::text is null or d.channel = ${channel})
  and (${provider}::text is null or d.provider = ${provider})
  and (${reason}::text is null or d.reason = ${reason})`

export async function countFailed(db: Db, filter: RetryFilter): Promise<{ total: number; lastId: bigint }> {
  const { rows } = await sql<{ total: number; lastId: bigint }>`
    select count(*)::int as total, coalesce(max(d.id), 0) as "lastId" from delivery d where ${matches(filter)}`.execute(
    db,
  )
  return rows[0]!
}

// False if another one runs.
export async function insertRetry(
  tx: Tx,
  retry: RetryFilter & Pick<DeliveryRetry, 'id' | 'askedBy' | 'why' | 'total' | 'lastId'>,
): Promise<boolean> {
  const result = await sql`
    insert into delivery_retry (id, channel, provider, reason, failed_from, failed_to, asked_by, why, created_at, total, last_id)
    values (${retry.id}, ${retry.channel}, ${retry.provider}, ${retry.reason}, ${retry.from}, ${retry.to},
            ${retry.askedBy}, ${retry.why}, service_now(), ${retry.total}, ${retry.lastId})
    on conflict do nothing`.execute(tx)
  if (result.numAffectedRows !== 1n) return false
  // A job of the same commit: a service that dies now goes on with it.
  await sql`select graphile_worker.add_job('retry_deliveries', job_key => 'retry_deliveries')`.execute(tx)
  return true
}

export async function lockRunningRetry(tx: Tx): Promise<DeliveryRetry | undefined> {
  const { rows } = await sql<DeliveryRetry>`
    select ${sql.raw(COLUMNS)} from delivery_retry where status = 'running' for update skip locked`.execute(
    tx,
  )
  return rows[0]
}

export async function lockRetry(tx: Tx, id: string): Promise<DeliveryRetry | undefined> {
  const { rows } = await sql<DeliveryRetry>`
    select ${sql.raw(COLUMNS)} from delivery_retry where id = ${id} for update`.execute(tx)
  return rows[0]
}

const RETRIES = {
  name: 'list_delivery_retries',
  text: `select ${COLUMNS} from delivery_retry order by created_at desc limit 20`,
}

export function listRetries(database: Reader): Promise<DeliveryRetry[]> {
  return database.read(RETRIES, []) as Promise<DeliveryRetry[]>
}

export interface FailedMessage {
  id: bigint
  cardId: string
}

export async function listFailed(tx: Tx, retry: DeliveryRetry, limit: number): Promise<FailedMessage[]> {
  const { rows } = await sql<FailedMessage>`
    select d.id, d.card_id as "cardId" from delivery d
     where d.id > ${retry.throughId} and d.id <= ${retry.lastId} and ${matches(retry)}
     order by d.id limit ${limit}`.execute(tx)
  return rows
}

interface SendRow {
  id: bigint
  channel: Channel
  purpose: Purpose
  ordinal: number
  status: Status
  isOpen: boolean
  ageSeconds: number
  isPast: boolean
}

// The card must be locked: otherwise another message of it could come in between.
export async function readRetryFacts(
  tx: Tx,
  card: { id: string; status: string },
  messageId: bigint,
): Promise<RetryFacts | undefined> {
  const { rows } = await sql<SendRow>`
    select d.id, d.channel, d.purpose, d.ordinal, d.status, d.settled_at is null as "isOpen",
           extract(epoch from service_now() - d.created_at)::float8 as "ageSeconds",
           c.expires_on < seoul_date(service_now()) as "isPast"
      from delivery d join gift_card c on c.id = d.card_id where d.card_id = ${card.id} order by d.id`.execute(
    tx,
  )
  const message = rows.find(({ id }) => id === messageId)
  return (
    message && {
      card: { status: card.status, isPast: message.isPast },
      message,
      sends: rows.filter(({ purpose }) => purpose === 'gift' || purpose === 'resend'),
    }
  )
}

export async function findCardOf(db: Db, messageId: bigint): Promise<string | undefined> {
  const row = await db.selectFrom('delivery').select('card_id').where('id', '=', messageId).executeTakeFirst()
  return row?.card_id
}

export async function writeProgress(
  tx: Tx,
  id: string,
  { throughId, queued, skipped }: Pick<DeliveryRetry, 'throughId' | 'queued' | 'skipped'>,
): Promise<void> {
  await sql`update delivery_retry set through_id = ${throughId}, queued = ${queued}, skipped = ${JSON.stringify(skipped)}::jsonb
             where id = ${id}`.execute(tx)
}

export async function endRetry(tx: Tx, id: string, status: 'stopped' | 'done', by: string): Promise<void> {
  await sql`update delivery_retry set status = ${status}, ended_at = service_now(), ended_by = ${by}
             where id = ${id}`.execute(tx)
}
