import { sql } from 'kysely'
import type { Db, Reader, Tx } from '#base/db/db.ts'
import type { Listing, LostAttempt } from './types.ts'

export async function insertListings(tx: Tx, id: string, providers: readonly string[]): Promise<void> {
  await sql`insert into restoration_listing (restoration_id, provider)
    select ${id}, provider from unnest(${providers}::text[]) as provider on conflict do nothing`.execute(tx)
}

interface ListingRow {
  provider: string
  begun_at: Temporal.Instant | null
  cursor: string | null
  finished_at: Temporal.Instant | null
  trouble: string | null
}

export async function listListings(db: Db, id: string): Promise<Listing[]> {
  const { rows } = await sql<ListingRow>`select provider, begun_at, cursor, finished_at, trouble
    from restoration_listing where restoration_id = ${id} order by provider`.execute(db)
  return rows.map(({ begun_at, finished_at, ...row }) => ({
    ...row,
    begunAt: begun_at,
    finishedAt: finished_at,
  }))
}

// Where the list goes on: at a page, at its beginning again, or nowhere since it was read to its end. False if another
// reader was faster: then its word counts.
export async function moveListing(
  tx: Tx,
  id: string,
  from: Listing,
  to: { cursor: string } | 'again' | 'finished',
): Promise<boolean> {
  const cursor = typeof to === 'object' ? to.cursor : null
  const result = await sql`update restoration_listing
      set cursor = ${cursor}, trouble = null, finished_at = case when ${to === 'finished'} then now() end,
          begun_at = case when ${to === 'again'} then null else coalesce(begun_at, now()) end
    where restoration_id = ${id} and provider = ${from.provider} and finished_at is null
      and cursor is not distinct from ${from.cursor}`.execute(tx)
  return result.numAffectedRows === 1n
}

export async function noteTrouble(tx: Tx, id: string, provider: string, trouble: string): Promise<void> {
  await sql`update restoration_listing set trouble = ${trouble}
    where restoration_id = ${id} and provider = ${provider} and finished_at is null`.execute(tx)
}

// A provider's list and its reports may both name one, and more than once.
export async function insertLostAttempts(tx: Tx, attempts: readonly LostAttempt[]): Promise<void> {
  if (attempts.length === 0) return
  await sql`insert into lost_attempt as l (key, attempt, provider, channel, message_id, recipient, sent_at, delivered)
    select distinct on (key, attempt, provider) * from unnest(
      ${attempts.map((a) => a.key)}::text[], ${attempts.map((a) => a.attempt)}::smallint[],
      ${attempts.map((a) => a.provider)}::text[], ${attempts.map((a) => a.channel)}::text[],
      ${attempts.map((a) => a.messageId)}::text[], ${attempts.map((a) => a.recipient)}::text[],
      ${attempts.map((a) => a.sentAt.toString())}::timestamptz[],
      ${attempts.map((a) => a.delivered)}::boolean[])
      as a (key, attempt, provider, channel, message_id, recipient, sent_at, delivered)
    order by key, attempt, provider, delivered desc
    on conflict (key, attempt, provider) do update
       set delivered = l.delivered or excluded.delivered, sent_at = least(l.sent_at, excluded.sent_at),
           message_id = coalesce(l.message_id, excluded.message_id),
           recipient = coalesce(l.recipient, excluded.recipient)`.execute(tx)
}

interface LostRow {
  key: string
  attempt: number
  provider: string
  channel: string
  message_id: string | null
  recipient: string | null
  sent_at: Temporal.Instant
  delivered: boolean
}

function toLost({ message_id, sent_at, ...row }: LostRow): LostAttempt {
  return { ...row, messageId: message_id, sentAt: sent_at }
}

const LOST = sql`l.key, l.attempt, l.provider, l.channel, l.message_id, l.recipient, l.sent_at, l.delivered`

// For each message the attempt that counts: one that was delivered, otherwise the last that is beyond those we know.
export async function findLostAttempts(
  tx: Tx,
  messages: readonly { key: string; attempt: number }[],
): Promise<Map<string, LostAttempt>> {
  if (messages.length === 0) return new Map()
  const { rows } = await sql<LostRow>`select distinct on (l.key) ${LOST}
      from unnest(${messages.map(({ key }) => key)}::text[], ${messages.map(({ attempt }) => attempt)}::int[])
           as m (key, attempt)
      join lost_attempt l on l.key = m.key collate "C" and (l.attempt > m.attempt or l.delivered)
     order by l.key, l.delivered desc, l.attempt desc`.execute(tx)
  return new Map(rows.map((row) => [row.key, toLost(row)]))
}

// The keys of a card's or a notice's lost messages.
export async function listLostKeys(db: Db, owner: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select distinct key from lost_attempt
    where key >= ${`${owner}.`} and key < ${`${owner}/`}`.execute(db)
  return rows.map(({ key }) => key)
}

// The oldest first.
export async function listLostAttempts(db: Db, limit: number): Promise<LostAttempt[]> {
  const { rows } = await sql<LostRow>`select ${LOST} from lost_attempt l order by l.sent_at, l.key, l.attempt
    limit ${limit}`.execute(db)
  return rows.map(toLost)
}

const KEPT_DAYS = 90 // by then every recipient of a lost card has asked for it

// To whom a lost message went is erased; that it went stays, so that it is never sent again.
export async function eraseLostRecipients(tx: Tx, limit: number): Promise<bigint> {
  const result = await sql`update lost_attempt set recipient = null where ctid = any(array(
      select ctid from lost_attempt
       where recipient is not null and seen_at < now() - make_interval(days => ${KEPT_DAYS})
       limit ${limit} for update skip locked))`.execute(tx)
  return result.numAffectedRows ?? 0n
}

const FIGURES = {
  name: 'restoration_figures',
  text: `select count(*)::int as restorations, count(*) filter (where released_at is null)::int as held,
                count(*) filter (where verified_at is null and released_at is null)::int as unverified,
                (select count(*) from lost_attempt)::int as lost,
                (select count(*) from restoration_listing l join restoration r on r.id = l.restoration_id
                  where l.trouble is not null and l.finished_at is null and r.released_at is null)::int as troubled
           from restoration having count(*) > 0`,
}

interface RestorationFigures extends Record<string, unknown> {
  restorations: number
  held: number
  unverified: number
  lost: number
  troubled: number
}

// For monitoring. Nothing for a database that was never restored.
export function readRestorationFigures(database: Reader): Promise<RestorationFigures[]> {
  return database.read<RestorationFigures>(FIGURES, [])
}
