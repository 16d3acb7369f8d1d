import { sql } from 'kysely'
import type { Db, Reader, Tx } from '#base/db/db.ts'
import type { Balance, ClosedDay, Closing, IdRange, Line } from './types.ts'

const DAY = `day, through_id as "throughId", reads_from as "readsFrom", movements, corrections,
  closed_at as "closedAt", closed_by as "closedBy", hash`

const NEWEST = {
  name: 'list_closed_days',
  text: `select ${DAY} from closed_day where day <= $1 order by day desc limit $2`,
}

export function listClosedDays(
  database: Reader,
  { until = 'infinity', limit }: { until?: string; limit: number },
): Promise<ClosedDay[]> {
  return database.read<ClosedDay>(NEWEST, [until, limit])
}

export async function findLastClosed(database: Reader): Promise<ClosedDay | undefined> {
  return (await listClosedDays(database, { limit: 1 }))[0]
}

export async function findClosedDay(database: Reader, day: string): Promise<ClosedDay | undefined> {
  const [found] = await listClosedDays(database, { until: day, limit: 1 })
  return found?.day === day ? found : undefined
}

const NEXT = {
  name: 'find_next_closed_day',
  text: `select ${DAY} from closed_day where day > $1::date order by day limit 1`,
}

// Undefined: the first of all.
export async function findNextClosed(
  database: Reader,
  day: string | undefined,
): Promise<ClosedDay | undefined> {
  return (await database.read<ClosedDay>(NEXT, [day ?? '-infinity']))[0]
}

const CORRECTING = {
  name: 'list_days_correcting',
  text: `select coalesce(b.reads_from, 1) - 1 as after, d.through_id as through
           from (select distinct day from closed_day_line where belongs_to < day and belongs_to <= $1::date and day > $1::date) l
           join closed_day d on d.day = l.day left join closed_day b on b.day = l.day - 1`,
}

// Where the transfers of later days are that have corrections of a day or of earlier ones.
export function listDaysCorrecting(database: Reader, day: string): Promise<IdRange[]> {
  return database.read<IdRange>(CORRECTING, [day])
}

// The last closing balance of every group that ever moved. Jumps from group to group in the index, however many days there are.
const BALANCES = {
  name: 'read_closed_balances',
  text: `with recursive groups as (
      (select account, asset, partner_id from closed_day_balance order by account, asset, partner_id limit 1)
      union all
      select n.account, n.asset, n.partner_id from groups g cross join lateral (
        select b.account, b.asset, b.partner_id from closed_day_balance b
         where (b.account, b.asset, b.partner_id) > (g.account, g.asset, g.partner_id)
         order by b.account, b.asset, b.partner_id limit 1) n)
    select g.account, g.asset, g.partner_id as "partnerId", b.closing as balance
      from groups g cross join lateral (
        select closing from closed_day_balance b
         where (b.account, b.asset, b.partner_id) = (g.account, g.asset, g.partner_id) and b.day <= $1::date
         order by b.day desc limit 1) b`,
}

// At the end of a closed day.
export function readClosedBalances(database: Reader, day: string): Promise<Balance[]> {
  return database.read<Balance>(BALANCES, [day])
}

const LINE = `day, belongs_to as "belongsTo", account, asset, partner_id as "partnerId", kind, debit, credit,
  debit_count as "debitCount", credit_count as "creditCount"`

const LINES = {
  name: 'read_closed_lines',
  text: `select ${LINE} from closed_day_line where day = $1 order by account, asset, partner_id, kind, belongs_to`,
}

export function readClosedLines(database: Reader, day: string): Promise<Line[]> {
  return database.read<Line>(LINES, [day])
}

const ACCOUNT_LINES = {
  name: 'list_account_lines',
  text: `select ${LINE} from closed_day_line where day >= $2::date and day < $3::date and account = $1
          order by day, asset, partner_id, kind, belongs_to`,
}

export function listAccountLines(
  database: Reader,
  { account, from, to }: { account: string; from: string; to: string },
): Promise<Line[]> {
  return database.read<Line>(ACCOUNT_LINES, [account, from, to])
}

export async function lockClosing(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(4857150)`.execute(tx)
}

export async function isLastClosed(tx: Db, day: string | undefined): Promise<boolean> {
  const { rows } = await sql<{ day: string | null }>`select max(day) as day from closed_day`.execute(tx)
  return (rows[0]?.day ?? undefined) === day
}

// Lines and balances first: the hash of a day is made of what is there.
export async function insertClosing(
  tx: Tx,
  { days, lines, balances }: Closing,
  { throughId, actor }: { throughId: bigint; actor: string },
): Promise<Buffer> {
  const column = <Row>(rows: readonly Row[], of: (row: Row) => unknown) => rows.map(of)
  await sql`insert into closed_day_line (day, belongs_to, account, asset, partner_id, kind, debit, credit, debit_count, credit_count)
    select * from unnest(${column(lines, (l) => l.day)}::date[], ${column(lines, (l) => l.belongsTo)}::date[],
      ${column(lines, (l) => l.account)}::text[], ${column(lines, (l) => l.asset)}::text[],
      ${column(lines, (l) => l.partnerId)}::int[], ${column(lines, (l) => l.kind)}::text[],
      ${column(lines, (l) => l.debit)}::bigint[], ${column(lines, (l) => l.credit)}::bigint[],
      ${column(lines, (l) => l.debitCount)}::bigint[], ${column(lines, (l) => l.creditCount)}::bigint[])`.execute(
    tx,
  )
  await sql`insert into closed_day_balance (day, account, asset, partner_id, opening, debit, credit, closing)
    select * from unnest(${column(balances, (b) => b.day)}::date[], ${column(balances, (b) => b.account)}::text[],
      ${column(balances, (b) => b.asset)}::text[], ${column(balances, (b) => b.partnerId)}::int[],
      ${column(balances, (b) => b.opening)}::bigint[], ${column(balances, (b) => b.debit)}::bigint[],
      ${column(balances, (b) => b.credit)}::bigint[], ${column(balances, (b) => b.closing)}::bigint[])`.execute(
    tx,
  )
  await sql`select write_closed_days(${column(days, (d) => d.day)}::date[], ${throughId},
      ${column(days, (d) => d.readsFrom)}::bigint[], ${column(days, (d) => d.movements)}::bigint[],
      ${column(days, (d) => d.corrections)}::bigint[], ${actor})`.execute(tx)
  const { rows } = await sql<{ hash: Buffer }>`
    select hash from closed_day where day = ${days.at(-1)!.day}::date`.execute(tx)
  return rows[0]!.hash
}
