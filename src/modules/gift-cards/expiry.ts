import { sql } from 'kysely'
import { assert } from '#base/assert.ts'
import type { Db, Tx } from '#base/db/db.ts'
import type { CardId } from './types.ts'

export interface ExpiredCard {
  id: CardId
  amount: bigint
}

// Open cards whose last day is over. A card that another transaction holds, perhaps a redemption, is left for the
// next time.
export async function lockExpired(tx: Tx, limit: number): Promise<ExpiredCard[]> {
  const { rows } = await sql<ExpiredCard>`
    select id, amount from gift_card
     where status = 'issued' and expires_on < seoul_date(service_now())
     order by expires_on, id limit ${limit} for update skip locked`.execute(tx)
  return rows
}

// The PIN stays until the refund deadline: by it the holder shows which card is theirs.
export async function markExpired(tx: Tx, ids: readonly CardId[]): Promise<void> {
  await sql`update gift_card set status = 'expired', expired_at = service_now()
             where id = any(${ids}::uuid[])`.execute(tx)
}

// Of a card that was refunded: its PIN shows nothing any more.
export async function erasePin(tx: Tx, id: CardId): Promise<void> {
  await sql`update gift_card set pin = null where id = ${id}`.execute(tx)
}

// Its extension is written already: a trigger holds the day against it.
export async function moveLastDay(tx: Tx, id: CardId, toDay: string): Promise<void> {
  await sql`update gift_card set expires_on = ${toDay}::date where id = ${id}`.execute(tx)
}

// Expired cards that can no longer be refunded. One with a quote is left alone: its refund may still wait for a second person. A
// refunded card has no PIN any more.
export async function lockPastRefund(tx: Tx, limit: number): Promise<ExpiredCard[]> {
  const { rows } = await sql<ExpiredCard>`
    select c.id, c.amount from gift_card c, seoul_date(service_now()) as today (day)
     where c.status = 'expired' and c.pin is not null
       and c.issued_on < today.day - make_interval(years => (select min(refund_years) from refund_policy))
       and c.issued_on + make_interval(years => (refund_policy_of(c.issued_on)).refund_years) < today.day
       -- Few, and read once: a join would lead the planner away from the index.
       and c.id <> all (array(select card_id from refund_quote))
     limit ${limit} for update of c skip locked`.execute(tx)
  return rows
}

export async function erasePins(tx: Tx, ids: readonly CardId[]): Promise<void> {
  await sql`update gift_card set pin = null where id = any(${ids}::uuid[])`.execute(tx)
}

// Whether the card's value went to the house, since nobody claimed it in time.
export async function isLapsed(db: Db, id: CardId): Promise<boolean> {
  const { rows } = await sql`select from transfer where card_id = ${id} and kind = 'lapse'`.execute(db)
  return rows.length > 0
}

// The hour in Seoul, and whether a clock that travels is the one that says so.
export async function findReminderTime(db: Db): Promise<{ hour: number; sandbox: boolean }> {
  const { rows } = await sql<{ hour: number; sandbox: boolean }>`
    select extract(hour from service_now() at time zone 'Asia/Seoul')::int as hour, mode = 'sandbox' as sandbox
      from installation`.execute(db)
  assert(rows[0], 'there is one installation')
  return rows[0]
}

export interface NoticeStage {
  daysBefore: number
  // Days of expiry: after the first, up to and including the second.
  after: string
  through: string
}

// The notices of the policy in force, each with the days of expiry that are new to it. A card that is nearer to its end
// than the next notice gets that one alone: a clock that jumped does not send four at once.
export async function listNoticeStages(db: Db): Promise<NoticeStage[]> {
  const { rows } = await sql<NoticeStage>`
    select s.days as "daysBefore",
           greatest(coalesce(n.done_through, today.day - 1), today.day + coalesce(s.next, -1))::text as after,
           (today.day + s.days)::text as through
      from seoul_date(service_now()) as today (day)
     cross join lateral (
             select days, lead(days) over (order by days desc) as next
               from unnest((refund_policy_of(today.day)).notice_days) as days) s
      left join expiry_notice n on n.days_before = s.days
     where coalesce(n.done_through, today.day - 1) < today.day + s.days
     order by s.days desc`.execute(db)
  return rows
}

export interface NoticeCursor {
  expiresOn: string
  id: string
}

// A reminder on each channel for the next cards; one that has it already is passed over.
export async function insertReminders(
  tx: Tx,
  stage: NoticeStage,
  after: NoticeCursor,
  limit: number,
): Promise<{ count: number; last: NoticeCursor | undefined }> {
  const { rows } = await sql<{ id: string; expires_on: string }>`
    with due as (
      select id, expires_on from gift_card
       where status = 'issued' and (expires_on, id) > (${after.expiresOn}::date, ${after.id}::uuid)
         and expires_on <= ${stage.through}::date
       order by expires_on, id limit ${limit}),
    reminded as (
      insert into delivery (card_id, channel, purpose, ordinal, created_at)
      -- An extended card is reminded of its new last day too.
      select due.id, channel, 'reminder',
             ${stage.daysBefore} + case when exists (select from card_extension x where x.card_id = due.id) then 1000 else 0 end,
             service_now()
        from due cross join unnest(array['alimtalk', 'text']) as channel
       order by due.expires_on, due.id, channel
      on conflict do nothing)
    select id, expires_on from due order by expires_on, id`.execute(tx)
  const last = rows.at(-1)
  return { count: rows.length, last: last && { expiresOn: last.expires_on, id: last.id } }
}

export async function markNotified(tx: Tx, { daysBefore, through }: NoticeStage): Promise<void> {
  await sql`insert into expiry_notice (days_before, done_through) values (${daysBefore}, ${through}::date)
    on conflict (days_before) do update
       set done_through = greatest(expiry_notice.done_through, excluded.done_through)`.execute(tx)
}
