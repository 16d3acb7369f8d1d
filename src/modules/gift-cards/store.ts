import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { assert } from '#base/assert.ts'
import { asciiArray, bigintArray, bytesArray, intArray, uuidArray } from '#base/db/binary-arrays.ts'
import type { Database, Db, Pipeline, Tx } from '#base/db/db.ts'
import { deleteOld } from '#base/db/delete-old.ts'
import type {
  Card,
  CardId,
  CardIdentifier,
  PurchaseOutcome,
  REFUSALS,
  RedeemOutcome,
  RedeemRefusal,
  TxId,
} from './types.ts'

// A purchase with everything it will be stored as; sealed before it joins a batch.
export interface SealedPurchase {
  partnerId: number
  giftId: CardId
  txId: TxId
  number: bigint
  amount: bigint
  keyId: string
  indexKeyId: string
  recipient: Buffer
  recipientIndex: Buffer
  pin: Buffer
  pinIndex: Buffer
  idempotency: { keyHash: Buffer; requestHash: Buffer } | null
}

// `issued` is the usual outcome and needs no row of its own: what is not, is listed by its place in the batch.
const BUY = {
  name: 'write_purchases',
  text: `select count(*) filter (where b.outcome = 'issued')::int as issued,
                json_agg(json_build_array(b.place - 1, b.outcome, b.gift_id, b.tx_id))
                  filter (where b.outcome is distinct from 'issued') as others
           from write_purchases($1::int, $2::int, $3::boolean, $4::text, $5::int[], $6::int[], $7::uuid[], $8::uuid[], $9::bigint[],
                                $10::bigint[], $11::text[], $12::bytea[], $13::bytea[], $14::bytea[], $15::bytea[], $16::bytea[],
                                $17::bytea[])
                with ordinality as b (outcome, gift_id, tx_id, place)`,
}

interface BuyRow {
  issued: number
  others: [place: number, outcome: OtherOutcome, giftId: CardId | null, txId: TxId | null][] | null
}
type OtherOutcome = 'replayed' | 'stale_keys' | 'held' | (typeof REFUSALS)[number]

// Nothing of the purchase was written: others held what it needs.
export interface Held {
  kind: 'held'
  leftOut?: true // it was not tried: its partner has a line of its own
}

export interface PurchaseTerms {
  // What the batch is sealed under. Of an earlier epoch than the present, nothing is written.
  epoch: number
  // Of a batch of several partners.
  shared?: {
    lockMs: number // how long it waits for what others hold
    // Purchases of a partner whose account others hold are left out, at once: they are `held`.
    skipHeld: boolean
  }
}

// One round trip, one transaction, one outcome per purchase in order.
export async function insertPurchases(
  pipeline: Pipeline,
  { epoch, shared }: PurchaseTerms,
  batch: readonly SealedPurchase[],
): Promise<(PurchaseOutcome | Held)[] | 'stale_keys'> {
  const places = new Map<number, number>()
  for (const { partnerId } of batch) if (!places.has(partnerId)) places.set(partnerId, places.size + 1)
  const [row] = await pipeline.writeOnce<BuyRow>(BUY, [
    epoch,
    shared?.lockMs ?? null,
    shared?.skipHeld ?? false,
    batch[0]!.indexKeyId,
    intArray([...places.keys()], (partnerId) => partnerId),
    intArray(batch, (p) => places.get(p.partnerId)!),
    uuidArray(batch, (p) => p.giftId),
    uuidArray(batch, (p) => p.txId),
    bigintArray(batch, (p) => p.number),
    bigintArray(batch, (p) => p.amount),
    asciiArray(batch, (p) => p.keyId),
    bytesArray(batch, (p) => p.recipient),
    bytesArray(batch, (p) => p.recipientIndex),
    bytesArray(batch, (p) => p.pin),
    bytesArray(batch, (p) => p.pinIndex),
    bytesArray(batch, (p) => p.idempotency?.keyHash ?? null),
    bytesArray(batch, (p) => p.idempotency?.requestHash ?? null),
  ])
  const { issued, others } = row!
  if (others?.[0]?.[1] === 'stale_keys') return 'stale_keys'
  assert(issued + (others?.length ?? 0) === batch.length, 'a purchase has an outcome')
  const outcomes = batch.map(({ giftId, txId }): PurchaseOutcome | Held => ({
    kind: 'issued',
    card: { giftId, txId },
  }))
  for (const [place, outcome, giftId, txId] of others ?? []) {
    assert(outcome !== 'stale_keys', 'a batch is of one epoch')
    if (outcome === 'replayed') {
      assert(giftId && txId, 'a purchase that stands names its card')
      outcomes[place] = { kind: outcome, card: { giftId, txId } }
    } else if (outcome === 'held') outcomes[place] = { kind: outcome }
    else outcomes[place] = { kind: 'refused', reason: outcome }
  }
  return outcomes
}

// Nothing of the batch was written: another card has one of its numbers.
export function isNumberTaken(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint === 'gift_card_number_key'
}

// A PIN as a card is found by it: under the index key in force, and under the next while a rotation runs.
export interface HashedPin {
  current: Buffer
  next: Buffer | null
  // Never changes with the keys: recognises the retry of a redemption whose PIN is erased.
  kept: Buffer
  holderId: string
  // The id of the act that the redemption will be.
  groupId: string
}

const REDEEM = {
  name: 'redeem_gift_cards',
  text: `select outcome, card_id, partner_id, amount, expires_on, points
           from redeem_gift_cards($1::int, $2::bytea[], $3::bytea[], $4::uuid[], $5::uuid[], $6::bytea[])`,
}

interface RedeemRow {
  outcome: 'redeemed' | 'again' | 'stale_keys' | RedeemRefusal
  card_id: CardId
  partner_id: number
  amount: bigint
  expires_on: string
  points: bigint
}

// Like purchases: one statement, one outcome for each. A batch has no PIN twice.
export async function redeemCards(
  database: Database,
  epoch: number,
  batch: readonly HashedPin[],
): Promise<RedeemOutcome[] | 'stale_keys'> {
  const rows = await database.writeOnce<RedeemRow>(REDEEM, [
    epoch,
    bytesArray(batch, (p) => p.current),
    bytesArray(batch, (p) => p.next),
    uuidArray(batch, (p) => p.holderId),
    uuidArray(batch, (p) => p.groupId),
    bytesArray(batch, (p) => p.kept),
  ])
  if (rows[0]?.outcome === 'stale_keys') return 'stale_keys'
  return rows.map((row) => {
    const { outcome, points } = row
    assert(outcome !== 'stale_keys', 'a batch is of one epoch')
    if (outcome !== 'redeemed' && outcome !== 'again') return { kind: 'refused', reason: outcome }
    const card = {
      id: row.card_id,
      partnerId: row.partner_id,
      amount: row.amount,
      expiresOn: row.expires_on,
    }
    return { kind: 'redeemed', card, points: points ?? 0n, again: outcome === 'again' }
  })
}

// A month's cards at 13,000 a second, which no backup is older than; the numbers there are allow 230,000 such jumps.
const SKIPPED_BLOCKS = 2 ** 28

const SKIP_SERIAL_BLOCKS = {
  name: 'skip_serial_blocks',
  text: 'select skip_serial_blocks($1)',
}

export async function skipSerialBlocks(database: Database): Promise<void> {
  await database.writeOnce(SKIP_SERIAL_BLOCKS, [SKIPPED_BLOCKS])
}

// One backup may be restored twice, and numbers were given out after the first restore too. So each restore begins at the
// place of its own moment, further than any service comes since 2026, at 64 blocks a millisecond. If the numbers are beyond
// that place, a clock was ahead, and they skip a month. A clock that is years ahead must not use them up: the last place is
// reached in 2050.
export async function skipSerialBlocksForRestore(tx: Tx): Promise<void> {
  await sql`select skip_serial_blocks(case when place > last_value then place - last_value
                                           else ${SKIPPED_BLOCKS}::bigint end)
              from gift_card_serial_block,
                   lateral (select least(extract(epoch from clock_timestamp() - timestamptz '2026-01-01 00:00:00+00')::numeric
                                           * 1000 * 64, 50000000000000)::bigint as place) now`.execute(tx)
}

const NEXT_SERIAL_BLOCK = {
  name: 'next_serial_block',
  text: `select nextval('gift_card_serial_block') as block`,
}

export async function takeSerialBlock(database: Database): Promise<bigint> {
  const [row] = await database.writeOnce<{ block: bigint }>(NEXT_SERIAL_BLOCK, [])
  assert(row, 'a sequence always has a next value')
  return row.block
}

export function cardColumns(db: Db) {
  return db
    .selectFrom('gift_card')
    .select(['id', 'tx_id', 'number', 'partner_id', 'amount', 'status', 'issued_at', 'issued_on'])
    .select(['expires_on', 'used_at', 'used_by', 'voided_at', 'recipient'])
}

function selectCards(db: Db, identifier: CardIdentifier) {
  return cardColumns(db).where((where) =>
    identifier.kind === 'uuid'
      ? where.or([where('id', '=', identifier.uuid), where('tx_id', '=', identifier.uuid)])
      : where('number', '=', identifier.number),
  )
}

type CardRow = Awaited<ReturnType<ReturnType<typeof selectCards>['executeTakeFirstOrThrow']>>

export function toCard(row: CardRow): Card {
  return {
    id: row.id as CardId,
    txId: row.tx_id as TxId,
    number: row.number,
    partnerId: row.partner_id,
    amount: row.amount,
    status: row.status as Card['status'],
    issuedAt: row.issued_at,
    issuedOn: row.issued_on,
    expiresOn: row.expires_on,
    usedAt: row.used_at,
    usedBy: row.used_by,
    voidedAt: row.voided_at,
    recipient: row.recipient,
  }
}

// Any partner's card: for the operator.
export async function findCard(db: Db, identifier: CardIdentifier): Promise<Card | undefined> {
  const row = await selectCards(db, identifier).executeTakeFirst()
  return row && toCard(row)
}

export async function lockCard(tx: Tx, identifier: CardIdentifier): Promise<Card | undefined> {
  const row = await selectCards(tx, identifier).forUpdate().executeTakeFirst()
  return row && toCard(row)
}

// The card of a PIN, under the index key in force or the next one.
export async function lockCardOfPin(
  tx: Tx,
  { current, next }: Pick<HashedPin, 'current' | 'next'>,
): Promise<Card | undefined> {
  const hashes = next === null ? [current] : [current, next]
  const row = await cardColumns(tx).where('pin_index', 'in', hashes).forUpdate().executeTakeFirst()
  return row && toCard(row)
}

export interface CancelTerms {
  today: string
  lastDay: string
}

// Until when the buyer may take this card back.
export async function findCancelTerms(db: Db, id: CardId): Promise<CancelTerms> {
  const { rows } = await sql<CancelTerms>`
    select seoul_date(service_now()) as today,
           issued_on + (refund_policy_of(issued_on)).cancel_days as "lastDay"
      from gift_card where id = ${id}`.execute(db)
  assert(rows[0], 'asked about a card that is locked')
  return rows[0]
}

// The PIN is erased with the card's value: a dump of a later day cannot show it.
export async function markVoided(tx: Tx, id: CardId): Promise<void> {
  await tx
    .updateTable('gift_card')
    .set({ status: 'voided', voided_at: sql<Temporal.Instant>`service_now()`, pin: null })
    .where('id', '=', id)
    .where('status', '=', 'issued')
    .execute()
}

// Until then the retry of a redemption is recognised, through every rotation of keys.
export const deleteOldRedemptionKeys = deleteOld(
  'redemption_key',
  "created_at < service_now() - interval '30 days'",
)

// Kept for 30 days; a key past that is free again even before it is gone (buy_gift_cards).
export const deleteOldIdempotencyKeys = deleteOld(
  'idempotency_key',
  "created_at < service_now() - interval '30 days'",
)
