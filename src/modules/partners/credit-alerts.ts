import { sql } from 'kysely'
import type { Db, Reader, Tx } from '#base/db/db.ts'
import { CREDIT_ALERTS } from './credit.ts'

// As percentUsed in credit.ts. A partner that is suspended or has no credit is near no limit.
const USE = sql`(select p.id, case when a.balance >= 0 then 0 else (-a.balance * 100) / (-a.floor) end as percent
  from partner p
  join lateral (select balance, floor from account where partner_id = p.id and kind = 'partner_receivable' offset 0) a on true
 where p.status = 'active' and a.floor < 0)`

// Levels that were reached since the last look, and those that were left. Two workers at once: the index lets one of them in.
export async function markCrossings(tx: Tx): Promise<void> {
  await sql`update credit_alert c set cleared_at = service_now()
    where c.cleared_at is null
      and not exists (select from ${USE} u where u.id = c.partner_id and u.percent >= c.level)`.execute(tx)
  await sql`insert into credit_alert (partner_id, level, raised_at)
    select u.id, l.level, service_now() from ${USE} u
     cross join unnest(${[...CREDIT_ALERTS]}::smallint[]) as l (level)
     where u.percent >= l.level
       and not exists (select from credit_alert o where o.partner_id = u.id and o.level = l.level and o.cleared_at is null)
     order by 1, 2
    on conflict (partner_id, level) where cleared_at is null do nothing`.execute(tx)
}

const UNTOLD = {
  name: 'list_untold_credit_alerts',
  text: `select distinct p.code from credit_alert c join partner p on p.id = c.partner_id
          where c.cleared_at is null and c.told_at is null order by 1`,
}

// Partners near their limit that nobody was told of, by code.
export async function listUntold(database: Reader): Promise<string[]> {
  return (await database.read<{ code: string }>(UNTOLD, [])).map(({ code }) => code)
}

// The open levels that are to be told, locked. A worker that comes second finds none.
export async function lockUntold(tx: Tx, partnerId: number): Promise<{ id: bigint; level: 80 | 95 }[]> {
  const { rows } = await sql<{ id: bigint; level: 80 | 95 }>`select id, level from credit_alert
    where partner_id = ${partnerId} and cleared_at is null and told_at is null
    order by id for update skip locked`.execute(tx)
  return rows
}

export async function markTold(tx: Tx, ids: readonly bigint[]): Promise<void> {
  await sql`update credit_alert set told_at = service_now() where id = any(${ids}::bigint[])`.execute(tx)
}

// The contacts that notices name, with their partner's code.
export async function mapContactPartners(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; code: string }>`select c.id, p.code
    from partner_contact c join partner p on p.id = c.partner_id where c.id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, code }) => [id, code]))
}
