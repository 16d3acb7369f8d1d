import { sql } from 'kysely'
import { rekeySealed } from '#base/crypto/rekey.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db, Reader, Tx } from '#base/db/db.ts'
import type { Origin } from '#base/origin.ts'
import { STOP_DAYS } from './rules.ts'
import type { Destination, Stoppable, Withdrawal, WithdrawalId, WithdrawalStatus } from './types.ts'

function selectWithdrawals(db: Db) {
  return db
    .selectFrom('withdrawal')
    .select(['id', 'holder_id', 'amount', 'bank', 'destination', 'status', 'requested_at'])
    .select([
      'approved_by',
      'approved_origin',
      'approved_staff',
      'approved_at',
      'single_person',
      'settled_at',
      'settled_by',
      'reason',
      'payable_after',
      'stop_asked_at',
    ])
    .select(sql<boolean>`settled_at is null and payable_after > service_now()`.as('waits'))
    .select(
      sql<boolean>`exists (select from member_freeze f
        where f.member_id = withdrawal.holder_id and f.thawed_at is null)`.as('frozen'),
    )
}

type Row = Awaited<ReturnType<ReturnType<typeof selectWithdrawals>['executeTakeFirstOrThrow']>>

function toWithdrawal(row: Row): Withdrawal {
  return {
    id: row.id as WithdrawalId,
    holderId: row.holder_id,
    amount: row.amount,
    bank: row.bank,
    destination: row.destination,
    status: row.status as WithdrawalStatus,
    requestedAt: row.requested_at,
    payableAfter: row.payable_after,
    waits: row.waits,
    frozen: row.frozen,
    approvedBy: row.approved_by,
    approvedOrigin: row.approved_origin as Origin | null,
    approvedStaff: row.approved_staff,
    approvedAt: row.approved_at,
    singlePerson: row.single_person,
    settledAt: row.settled_at,
    settledBy: row.settled_by,
    reason: row.reason,
    stopAskedAt: row.stop_asked_at,
  }
}

export async function findWithdrawal(db: Db, id: string): Promise<Withdrawal | undefined> {
  const row = await selectWithdrawals(db).where('id', '=', id).executeTakeFirst()
  return row && toWithdrawal(row)
}

export async function findRequest(
  db: Db,
  holderId: string,
  requestId: string,
): Promise<Withdrawal | undefined> {
  const row = await selectWithdrawals(db)
    .where('holder_id', '=', holderId)
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  return row && toWithdrawal(row)
}

// With the code from its notice.
export async function findStoppable(db: Db, stopHash: Buffer): Promise<Stoppable | undefined> {
  const row = await selectWithdrawals(db)
    .select(
      sql<boolean>`requested_at > service_now() - make_interval(days => ${STOP_DAYS}) and exists (
        select from member_account a where a.member_id = holder_id and a.closed_at is null)`.as('secures'),
    )
    .select(
      sql<number>`(select count(*)::int from withdrawal o where o.holder_id = withdrawal.holder_id
        and o.id <> withdrawal.id and o.status in ('requested', 'approved'))`.as('others'),
    )
    .where('stop_hash', '=', stopHash)
    .executeTakeFirst()
  return row && { withdrawal: toWithdrawal(row), secures: row.secures, others: row.others }
}

// In id order, as every lock of several rows.
export async function lockOpenWithdrawals(tx: Tx, holderId: string): Promise<Withdrawal[]> {
  const rows = await selectWithdrawals(tx)
    .where('holder_id', '=', holderId)
    .where('status', 'in', ['requested', 'approved'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(toWithdrawal)
}

export async function markStopAsked(tx: Tx, id: WithdrawalId): Promise<void> {
  await tx
    .updateTable('withdrawal')
    .set({ stop_asked_at: sql<Temporal.Instant>`service_now()` })
    .where('id', '=', id)
    .where('stop_asked_at', 'is', null)
    .execute()
}

// Withdrawals that were paid to one bank, newest first.
export async function listPaidTo(db: Db, holderId: string, bank: string): Promise<Withdrawal[]> {
  const rows = await selectWithdrawals(db)
    .where('holder_id', '=', holderId)
    .where('status', '=', 'paid')
    .where('bank', '=', bank)
    .where('destination', 'is not', null)
    .orderBy('requested_at', 'desc')
    .limit(1_000)
    .execute()
  return rows.map(toWithdrawal)
}

export async function lockWithdrawal(tx: Tx, id: string): Promise<Withdrawal | undefined> {
  const row = await selectWithdrawals(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return row && toWithdrawal(row)
}

// Newest first.
export async function listWithdrawalsOf(db: Db, holderId: string, limit: number): Promise<Withdrawal[]> {
  const rows = await selectWithdrawals(db)
    .where('holder_id', '=', holderId)
    .orderBy('requested_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toWithdrawal)
}

// For the operator: those that wait, oldest first, or the newest of one status.
export async function listWithdrawals(
  db: Db,
  status: WithdrawalStatus | undefined,
  limit: number,
): Promise<Withdrawal[]> {
  const query = status
    ? selectWithdrawals(db).where('status', '=', status).orderBy('requested_at', 'desc')
    : // In the words of the index that has them.
      selectWithdrawals(db).where(sql<boolean>`status in ('requested', 'approved')`).orderBy('requested_at')
  return (await query.limit(limit).execute()).map(toWithdrawal)
}

export interface NewWithdrawal {
  id: WithdrawalId
  holderId: string
  requestId: string
  amount: bigint
  bank: string
  destination: Buffer
  // The paid withdrawal to the same account, if it need not wait.
  sameAccountAs: string | null
  waitHours: number
  stopHash: Buffer
}

export async function insertWithdrawal(tx: Tx, withdrawal: NewWithdrawal): Promise<void> {
  await tx
    .insertInto('withdrawal')
    .values({
      id: withdrawal.id,
      holder_id: withdrawal.holderId,
      request_id: withdrawal.requestId,
      amount: withdrawal.amount,
      bank: withdrawal.bank,
      destination: withdrawal.destination,
      requested_at: sql<Temporal.Instant>`service_now()`,
      payable_after: sql<Temporal.Instant>`service_now() + make_interval(hours => ${withdrawal.waitHours})`,
      same_account_as: withdrawal.sameAccountAs,
      stop_hash: withdrawal.stopHash,
    })
    .execute()
}

export async function markApproved(
  tx: Tx,
  id: WithdrawalId,
  { actor, origin, staffId }: { actor: string; origin?: Origin | undefined; staffId: string | null },
): Promise<void> {
  await tx
    .updateTable('withdrawal')
    .set({
      status: 'approved',
      approved_by: actor,
      approved_origin: origin === undefined ? null : JSON.stringify(origin),
      approved_staff: staffId,
      approved_at: sql<Temporal.Instant>`service_now()`,
    })
    .where('id', '=', id)
    .execute()
}

// Who ended it, and why.
export interface Settled {
  by: string
  origin?: Origin | undefined
  staffId?: string | null
  singlePerson?: boolean
  reason: string | null
}

export async function markSettled(
  tx: Tx,
  id: WithdrawalId,
  settled: Settled & { status: WithdrawalStatus },
): Promise<void> {
  await tx
    .updateTable('withdrawal')
    .set({
      status: settled.status,
      settled_by: settled.by,
      settled_origin: settled.origin === undefined ? null : JSON.stringify(settled.origin),
      settled_staff: settled.staffId ?? null,
      single_person: settled.singlePerson ?? false,
      settled_at: sql<Temporal.Instant>`service_now()`,
      reason: settled.reason,
    })
    .where('id', '=', id)
    .execute()
}

const placeOf = (id: string) => ({ table: 'withdrawal', column: 'destination', row: id })

export function sealDestination(vault: Vault, id: WithdrawalId, destination: Destination): Buffer {
  const { bank, account, holder } = destination
  return vault.seal(placeOf(id), JSON.stringify({ bank, account, holder }))
}

export function openDestination(
  vault: Vault,
  { id, destination }: Pick<Withdrawal, 'id' | 'destination'>,
): Destination | undefined {
  return destination ? (JSON.parse(vault.open(placeOf(id), destination)) as Destination) : undefined
}

// Erases the destination after the five years for which payments are kept.
export async function eraseOldDestinations(tx: Tx, limit: number): Promise<bigint> {
  const result = await sql`update withdrawal set destination = null where id in (
      select id from withdrawal
       where destination is not null and settled_at < service_now() - interval '5 years'
       limit ${limit} for update skip locked)`.execute(tx)
  return result.numAffectedRows ?? 0n
}

const OPEN = {
  name: 'count_open_withdrawals',
  text: `select w.status, count(r.id)::int as count,
                coalesce(extract(epoch from service_now() - min(r.requested_at)), 0)::float8 as "oldestSeconds"
           from unnest(array['requested', 'approved']) as w (status)
           left join withdrawal r on r.status = w.status and r.status in ('requested', 'approved')
          group by w.status`,
}

export function countOpenWithdrawals(
  database: Reader,
): Promise<{ status: string; count: number; oldestSeconds: number }[]> {
  return database.read(OPEN, [])
}

export const rekeyWithdrawals = rekeySealed('withdrawal', ['destination'])
