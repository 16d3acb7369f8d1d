import { sql } from 'kysely'
import { assert } from '#base/assert.ts'
import type { Db, Tx } from '#base/db/db.ts'
import type { Asset, Transfer, TransferKind } from './types.ts'

// Balance = credits − debits. What a partner owes is a negative balance; its floor is −(credit limit).
export async function openReceivable(tx: Tx, partnerId: number, creditLimit: bigint): Promise<void> {
  await tx
    .insertInto('account')
    .values({ kind: 'partner_receivable', asset: 'KRW_POINT', partner_id: partnerId, floor: -creditLimit })
    .execute()
}

export interface Receivable {
  id: bigint
  balance: bigint
}

function selectReceivable(db: Db, partnerId: number) {
  return db
    .selectFrom('account')
    .select(['id', 'balance'])
    .where('partner_id', '=', partnerId)
    .where('kind', '=', 'partner_receivable')
}

export function findReceivable(db: Db, partnerId: number): Promise<Receivable> {
  return selectReceivable(db, partnerId).executeTakeFirstOrThrow()
}

// Waits for purchases under way, so what is owed is known while the limit changes.
export function lockReceivable(tx: Tx, partnerId: number): Promise<Receivable> {
  return selectReceivable(tx, partnerId).forNoKeyUpdate().executeTakeFirstOrThrow()
}

export async function setCreditLimit(tx: Tx, receivable: Receivable, creditLimit: bigint): Promise<void> {
  await tx.updateTable('account').set({ floor: -creditLimit }).where('id', '=', receivable.id).execute()
}

// The house account this connection writes to.
export async function findOutstandingAccount(db: Db): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`select outstanding_account() as id`.execute(db)
  const id = rows[0]?.id
  assert(id, 'the ledger migration makes every shard')
  return id
}

// The account for expired cards: this connection's shard.
export async function findExpiredAccount(db: Db): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`select id from account
    where kind = 'expired_cards' and asset = 'KRW_POINT' and partner_id is null
      and shard = (pg_backend_pid() % 16)::smallint`.execute(db)
  const id = rows[0]?.id
  assert(id, 'the expiry migration makes every shard')
  return id
}

// What a member holds of an asset, or what came in through a link that is not confirmed. Opened with the first
// credit.
export async function openHolding(tx: Tx, holderId: string, asset: Asset): Promise<bigint> {
  await tx
    .insertInto('account')
    .values({ kind: 'holding', asset, floor: 0n, holder_id: holderId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const account = await tx
    .selectFrom('account')
    .select('id')
    .where('holder_id', '=', holderId)
    .where('asset', '=', asset)
    .executeTakeFirstOrThrow()
  return account.id
}

export async function readHolding(db: Db, holderId: string, asset: Asset): Promise<bigint> {
  const account = await db
    .selectFrom('account')
    .select('balance')
    .where('holder_id', '=', holderId)
    .where('asset', '=', asset)
    .executeTakeFirst()
  return account?.balance ?? 0n
}

// The holder that a credit for this one belongs to now. The shared lock keeps it so until the transaction ends
// (db/functions/holder_now.sql).
export async function lockHolder(tx: Tx, holderId: string): Promise<string> {
  const { rows } = await sql<{ holder: string }>`select holder_now(${holderId}::uuid) as holder`.execute(tx)
  return rows[0]!.holder
}

// All that one holder has becomes another's, with what it cost.
export async function moveHoldings(tx: Tx, from: string, to: string, groupId: string): Promise<void> {
  await sql`select move_holdings(${from}::uuid, ${to}::uuid, ${groupId}::uuid)`.execute(tx)
}

export interface Held {
  id: bigint
  asset: Asset
  balance: bigint
}

export async function lockHoldings(tx: Tx, holders: readonly string[]): Promise<Held[]> {
  const { rows } = await sql<Held>`select id, asset, balance from account
    where holder_id = any(${holders}::uuid[]) order by id for no key update`.execute(tx)
  return rows
}

// The rest of a closing account goes to the house, and its cost is forgotten.
export async function waiveHoldings(tx: Tx, holderId: string, groupId: string): Promise<void> {
  const { rows } = await sql<Held & { house: bigint }>`
    select id, asset, balance, house_account('trading', asset) as house from account
     where holder_id = ${holderId} and balance > 0 order by id`.execute(tx)
  if (rows.length === 0) return
  await postTransfers(
    tx,
    'waive',
    rows.map(({ id, house, balance }) => ({
      groupId,
      cardId: null,
      debit: id,
      credit: house,
      amount: balance,
    })),
  )
  await sql`update account set cost = 0 where holder_id = ${holderId} and cost > 0`.execute(tx)
}

// The source of a sandbox's play money.
export async function findGrantAccount(db: Db, asset: Asset): Promise<bigint> {
  const account = await db
    .selectFrom('account')
    .select('id')
    .where('kind', '=', sql.lit('sandbox_grants')) // not a parameter: the index is for kinds other than people's
    .where('asset', '=', asset)
    .where('partner_id', 'is', null)
    .executeTakeFirstOrThrow()
  return account.id
}

// The account of the house that this connection writes to.
export async function findHouseAccount(
  db: Db,
  kind:
    | 'trading'
    | 'withdrawals'
    | 'bank'
    | 'partner_settlement'
    | 'adjustments'
    | 'refund_exchange'
    | 'refund_fees'
    | 'breakage'
    | 'inventory'
    | 'bullion_dealers'
    | 'commissions_owed'
    | 'commissions'
    | 'commission_vat',
  asset: Asset,
): Promise<bigint> {
  const { rows } = await sql<{ id: bigint | null }>`select house_account(${kind}, ${asset}) as id`.execute(db)
  const id = rows[0]?.id
  assert(id, 'migrations make every shard')
  return id
}

// Locks in id order, as everywhere. What is read then stays until the end.
export async function lockBalances(tx: Tx, ids: readonly bigint[]): Promise<Map<bigint, bigint>> {
  const rows = await tx
    .selectFrom('account')
    .select(['id', 'balance'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Map(rows.map(({ id, balance }) => [id, balance]))
}

export async function postTransfers(
  tx: Tx,
  kind: TransferKind,
  transfers: readonly Transfer[],
): Promise<void> {
  for (const transfer of transfers) {
    assert(transfer.amount > 0n, 'a transfer moves a positive amount')
    assert(transfer.debit !== transfer.credit, 'a transfer moves value')
  }
  await sql`select post_transfers(${kind}, service_now(),
    ${transfers.map((t) => t.groupId)}::uuid[], ${transfers.map((t) => t.cardId)}::uuid[],
    ${transfers.map((t) => t.debit)}::bigint[], ${transfers.map((t) => t.credit)}::bigint[],
    ${transfers.map((t) => t.amount)}::bigint[])`.execute(tx)
}

export function listCardTransfers(db: Db, cardId: string) {
  return db
    .selectFrom('transfer')
    .select(['id', 'group_id', 'kind', 'amount', 'debit_account', 'credit_account', 'at'])
    .where('card_id', '=', cardId)
    .orderBy('id')
    .execute()
}
