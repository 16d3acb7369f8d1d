import { sql } from 'kysely'
import type { Db, Tx } from '#base/db/db.ts'
import type { Payment } from './types.ts'

const COLUMNS = sql.raw(
  'p.id, p.partner_id as "partnerId", p.reference, p.amount, p.at, p.reversed_at as "reversedAt"',
)

export async function findPayment(
  db: Db,
  partnerId: number,
  reference: string,
): Promise<Payment | undefined> {
  const { rows } = await sql<Payment>`select ${COLUMNS} from partner_payment p
    where p.partner_id = ${partnerId} and lower(p.reference) = lower(${reference})`.execute(db)
  return rows[0]
}

// Of these, which payments of any partner have; in small letters. A reversed one is none.
export async function listBookedReferences(
  db: Db,
  references: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ reference: string }>`
    select distinct lower(p.reference) as reference from partner_payment p
     where p.reversed_at is null and lower(p.reference) = any(${references.map((one) => one.toLowerCase())}::text[])`.execute(
    db,
  )
  return new Set(rows.map(({ reference }) => reference))
}

export interface ListedPayment extends Payment {
  askedBy: string
  approvedBy: string | null
  reversedBy: string | null
}

export async function listPayments(db: Db, partnerId: number, limit: number): Promise<ListedPayment[]> {
  const { rows } = await sql<ListedPayment>`
    select ${COLUMNS}, r.maker as "askedBy", r.checker as "approvedBy",
           b.maker || ' and ' || b.checker as "reversedBy"
      from partner_payment p join change_request r on r.id = p.id
      left join change_request b on b.id = p.reversal_id
     where p.partner_id = ${partnerId} order by p.at desc, p.id limit ${limit}`.execute(db)
  return rows
}

export async function insertPayment(
  tx: Tx,
  { id, partnerId, reference, amount }: Omit<Payment, 'at' | 'reversedAt'>,
): Promise<void> {
  await sql`insert into partner_payment (id, partner_id, reference, amount, at)
    values (${id}, ${partnerId}, ${reference}, ${amount}, service_now())`.execute(tx)
}

export async function markReversed(tx: Tx, id: string, reversalId: string): Promise<void> {
  await sql`update partner_payment set reversed_at = service_now(), reversal_id = ${reversalId}
    where id = ${id}`.execute(tx)
}
