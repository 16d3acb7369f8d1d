import { type RawBuilder, sql } from 'kysely'
import type { Db, Reader, Tx } from '#base/db/db.ts'
import type { PaymentPart } from './rules.ts'
import type { CardSum, CommissionRate, LegalDetails, PaidInPeriod, Period, Statement } from './types.ts'

// What payments paid of a statement; a reversed one paid nothing.
const STATEMENTS = sql.raw(`
  select s.id, s.partner_id as "partnerId", o.code as partner, s.number,
         json_build_object('from', s.period_from::text, 'to', s.period_to::text) as period, s.due, s.due_commission as "dueCommission",
         s.closed_at as "closedAt", s.closed_by as "closedBy", t.at as "sentAt", t.by as "sentBy", t.way as "sentWay", s.hash,
         coalesce(p.paid, 0)::bigint as paid, coalesce(p.commission, 0)::bigint as "paidCommission"
    from partner_statement s join partner o on o.id = s.partner_id
    left join partner_statement_sent t on t.statement_id = s.id
    left join lateral (select sum(x.amount) as paid, sum(x.commission) as commission
                         from partner_payment_part x join partner_payment y on y.id = x.payment_id
                        where x.statement_id = s.id and y.reversed_at is null) p on true`)

// Of one partner or of all, the newest period first.
export async function listStatements(
  db: Db,
  { partnerId, limit }: { partnerId: number | null; limit: number },
): Promise<Statement[]> {
  const { rows } = await sql<Statement>`${STATEMENTS}
    where ${partnerId}::int is null or s.partner_id = ${partnerId}::int
    order by s.period_from desc, s.partner_id limit ${limit}`.execute(db)
  return rows
}

// Of all partners: those whose period has a day of this one.
export async function listStatementsWithin(db: Db, { from, to }: Period): Promise<Statement[]> {
  const { rows } = await sql<Statement>`${STATEMENTS}
    where s.period_from < ${to}::date and s.period_to > ${from}::date
    order by s.period_from, s.number`.execute(db)
  return rows
}

export async function findStatement(db: Db, number: string): Promise<Statement | undefined> {
  const { rows } = await sql<Statement>`${STATEMENTS} where s.number = ${number}`.execute(db)
  return rows[0]
}

export async function readStatementData(db: Db, id: string): Promise<string> {
  const row = await db
    .selectFrom('partner_statement')
    .select('data')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.data
}

export interface LastStatement {
  data: string
  hash: Buffer
}

export async function findLastStatement(db: Db, partnerId: number): Promise<LastStatement | undefined> {
  return db
    .selectFrom('partner_statement')
    .select(['data', 'hash'])
    .where('partner_id', '=', partnerId)
    .orderBy('period_from', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function listStatementPeriods(
  db: Db,
  partnerId: number,
): Promise<{ number: string; period: Period }[]> {
  const { rows } = await sql<{ number: string; period: Period }>`
    select number, json_build_object('from', period_from::text, 'to', period_to::text) as period
      from partner_statement where partner_id = ${partnerId} order by period_from`.execute(db)
  return rows
}

// The first closed day on which what the partner owes or its cards moved. Two entries of an index, however many days there are.
const firstMove = (partnerId: RawBuilder<number>) => {
  const of = (account: string) => sql`(select min(day) from closed_day_balance
    where account = ${account} and asset = 'KRW_POINT' and partner_id = ${partnerId})`
  return sql<string | null>`least(${of('partner_receivable')}, ${of('outstanding_cards')})`
}

export async function findFirstMove(db: Db, partnerId: number): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select ${firstMove(sql`${partnerId}::int`)}::text as day`.execute(db)
  return rows[0]!.day
}

// The day with which each partner's next statement begins: after its last one, or with the month of its first movement. Partners
// with neither are left out.
export async function listNextDays(db: Db): Promise<{ partner: string; from: string }[]> {
  const { rows } = await sql<{ partner: string; from: string }>`
    select o.code as partner, n.day::text as from
      from partner o cross join lateral (
        select coalesce((select max(period_to) from partner_statement where partner_id = o.id),
                        date_trunc('month', ${firstMove(sql.ref('o.id'))})::date) as day) n
     where n.day is not null order by o.id`.execute(db)
  return rows
}

// The data of the statements that cover a day or come after it, the oldest first.
export async function listStatementsFrom(db: Db, partnerId: number, day: string): Promise<string[]> {
  const { rows } = await sql<{ data: string }>`
    select data from partner_statement where partner_id = ${partnerId} and period_to > ${day}::date
     order by period_from`.execute(db)
  return rows.map(({ data }) => data)
}

export async function insertStatement(
  tx: Tx,
  statement: {
    id: string
    partnerId: number
    number: string
    period: Period
    due: bigint
    dueCommission: bigint
    data: string
    closedBy: string
    previousHash: Buffer | null
    hash: Buffer
  },
): Promise<void> {
  const { period } = statement
  await tx
    .insertInto('partner_statement')
    .values({
      id: statement.id,
      partner_id: statement.partnerId,
      number: statement.number,
      period_from: period.from,
      period_to: period.to,
      due: statement.due,
      due_commission: statement.dueCommission,
      data: statement.data,
      closed_at: sql`service_now()`,
      closed_by: statement.closedBy,
      previous_hash: statement.previousHash,
      hash: statement.hash,
    })
    .execute()
}

export async function insertSent(tx: Tx, statementId: string, by: string, way: string): Promise<void> {
  await sql`insert into partner_statement_sent (statement_id, at, by, way)
    values (${statementId}, service_now(), ${by}, ${way})`.execute(tx)
}

export async function findLegalDetails(db: Db, partnerId: number): Promise<LegalDetails | undefined> {
  const { rows } = await sql<LegalDetails>`
    select legal_name as "legalName", business_number as "businessNumber", representative, address
      from partner_legal where partner_id = ${partnerId}`.execute(db)
  return rows[0]
}

export async function writeLegalDetails(tx: Tx, partnerId: number, legal: LegalDetails): Promise<void> {
  const columns = {
    legal_name: legal.legalName,
    business_number: legal.businessNumber,
    representative: legal.representative,
    address: legal.address,
  }
  await tx
    .insertInto('partner_legal')
    .values({ partner_id: partnerId, ...columns })
    .onConflict((conflict) => conflict.column('partner_id').doUpdateSet(columns))
    .execute()
}

export async function listRates(db: Db, partnerId: number): Promise<CommissionRate[]> {
  const { rows } = await sql<CommissionRate>`
    select effective_from::text as "effectiveFrom", bps, base from commission_rate
     where partner_id = ${partnerId} order by effective_from`.execute(db)
  return rows
}

export async function insertRate(
  tx: Tx,
  partnerId: number,
  { effectiveFrom, bps, base }: CommissionRate,
  { by, requestId }: { by: string; requestId: string },
): Promise<void> {
  await sql`insert into commission_rate (partner_id, effective_from, bps, base, set_at, set_by, request_id)
    values (${partnerId}, ${effectiveFrom}, ${bps}, ${base}, service_now(), ${by}, ${requestId})`.execute(tx)
}

export async function insertParts(tx: Tx, paymentId: string, parts: readonly PaymentPart[]): Promise<void> {
  if (parts.length === 0) return
  await tx
    .insertInto('partner_payment_part')
    .values(
      parts.map((part) => ({
        payment_id: paymentId,
        statement_id: part.statementId,
        amount: part.amount,
        commission: part.commission,
      })),
    )
    .execute()
}

// Of a payment: what went to commissions.
export async function sumCommissionParts(db: Db, paymentId: string): Promise<bigint> {
  const { rows } = await sql<{ commission: bigint }>`
    select coalesce(sum(commission), 0)::bigint as commission from partner_payment_part
     where payment_id = ${paymentId}`.execute(db)
  return rows[0]!.commission
}

const midnight = (day: string) => `${day}T00:00:00+09:00`

// What payments of the period pay of statements, less what reversals of the period took back.
export async function sumNamedPayments(
  db: Db,
  partnerId: number,
  { from, to }: Period,
): Promise<Pick<PaidInPeriod, 'named' | 'commission'>> {
  const within = (column: string) =>
    sql`${sql.ref(column)} >= ${midnight(from)}::timestamptz and ${sql.ref(column)} < ${midnight(to)}::timestamptz`
  const { rows } = await sql<Pick<PaidInPeriod, 'named' | 'commission'>>`
    select coalesce(sum((x.amount - x.commission) * s.sign), 0)::bigint as named,
           coalesce(sum(x.commission * s.sign), 0)::bigint as commission
      from partner_payment p join partner_payment_part x on x.payment_id = p.id
     cross join lateral (select (${within('p.at')})::int - (coalesce(${within('p.reversed_at')}, false))::int as sign) s
     where p.partner_id = ${partnerId}`.execute(db)
  return rows[0]!
}

interface PaymentRow {
  reference: string
  amount: bigint
  at: Temporal.Instant
  pays: { statement: string; amount: string }[]
}

// In the period, reversals as amounts below zero.
export async function listPaymentsWithin(
  db: Db,
  partnerId: number,
  { from, to }: Period,
): Promise<PaymentRow[]> {
  const { rows } = await sql<PaymentRow>`
    select p.reference, p.amount * m.sign as amount, m.at,
           coalesce((select json_agg(json_build_object('statement', s.number, 'amount', (x.amount * m.sign)::text) order by s.number)
              from partner_payment_part x join partner_statement s on s.id = x.statement_id where x.payment_id = p.id), '[]') as pays
      from partner_payment p
     cross join lateral (values (1, p.at), (-1, p.reversed_at)) as m (sign, at)
     where p.partner_id = ${partnerId} and m.at >= ${midnight(from)}::timestamptz and m.at < ${midnight(to)}::timestamptz
     order by m.at, p.reference, m.sign desc`.execute(db)
  return rows
}

// By the index of voids: never all cards. A void counts if the last day of the period covers its transfer, and the day before the
// period does not.
const VOIDS = {
  name: 'sum_voids_of_period',
  text: `select g.issued_on::text as "issuedOn", seoul_date(t.at)::text as "voidedOn", sum(g.amount)::bigint as amount,
                count(*)::bigint as count
           from gift_card g
           join lateral (select id, at from transfer where card_id = g.id and kind = 'void' offset 0) t on true
          where g.partner_id = $1 and g.voided_at >= $2::timestamptz and g.voided_at < $3::timestamptz
            and t.id <= $4::bigint and seoul_date(t.at) <= $5::date
            and not (t.id <= $6::bigint and seoul_date(t.at) <= $7::date)
          group by 1, 2 order by 1, 2`,
}

export interface Coverage {
  throughId: bigint
  day: string
}

// first: the earliest day of a void that the period covers.
export async function sumVoids(
  database: Reader,
  question: { partnerId: number; first: string; to: string; last: Coverage; before: Coverage | undefined },
): Promise<{ byIssue: CardSum[]; byVoid: CardSum[] }> {
  const { partnerId, first, to, last, before } = question
  const rows = await database.read<CardSum & { issuedOn: string; voidedOn: string }>(VOIDS, [
    partnerId,
    midnight(first),
    midnight(to),
    last.throughId,
    last.day,
    before?.throughId ?? 0n,
    before?.day ?? '-infinity',
  ])
  return {
    byIssue: rows.map(({ issuedOn, amount, count }) => ({ day: issuedOn, amount, count })),
    byVoid: rows.map(({ voidedOn, amount, count }) => ({ day: voidedOn, amount, count })),
  }
}
