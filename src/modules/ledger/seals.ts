import { createHash, hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Reader, Tx } from '#base/db/db.ts'

// What is sealed of transfers, in blocks. Only what no act, no retention and no erasure ever changes: everything of a transfer, and
// of the card that it issued number, partner, face amount and moment.

export interface Block {
  position: bigint
  throughId: bigint
  transfers: number
  contentHash: Buffer
  hash: Buffer
}

const MARK_BYTES = 4 // one in four billion changes would go unnamed; the hash of the block finds it all the same

// A transfer a line, as the database prints it. The database hashes nothing: a function that was replaced there proves nothing.
const LINE = sql`concat_ws('|', t.id, t.group_id, t.kind, t.asset, t.amount, t.debit_account, t.credit_account,
  coalesce(t.card_id::text, '-'), (extract(epoch from t.at) * 1000000)::bigint,
  case when t.kind = 'issue' then concat_ws('|', coalesce(c.number::text, 'gone'), c.partner_id, c.amount,
                                            (extract(epoch from c.issued_at) * 1000000)::bigint) end)`

export interface Range {
  // The first is left out.
  after: bigint
  through: bigint
}

// In the order of their ids.
export async function printTransfers(db: Db, { after, through }: Range): Promise<string[]> {
  const { rows } = await sql<{ text: string | null }>`
    select string_agg(${LINE}, E'\n' order by t.id) as text
      from transfer t left join gift_card c on c.id = case when t.kind = 'issue' then t.card_id end
     where t.id > ${after} and t.id <= ${through}`.execute(db)
  return rows[0]?.text?.split('\n') ?? []
}

export function hashLines(lines: readonly string[]): Buffer {
  return createHash('sha256').update('transfer block v1\0').update(lines.join('\n')).digest()
}

export function marksOf(lines: readonly string[]): Buffer {
  const marks = lines.map((line) => hash('sha256', line).slice(0, 2 * MARK_BYTES))
  return Buffer.from(marks.join(''), 'hex')
}

// The first line that is not the one that was marked; undefined if all are. Its place may be past the last line.
export function findUnmarked(lines: readonly string[], marks: Buffer): number | undefined {
  const now = marksOf(lines)
  const places = Math.max(now.length, marks.length) / MARK_BYTES
  const at = (bytes: Buffer, place: number) => bytes.subarray(place * MARK_BYTES, (place + 1) * MARK_BYTES)
  for (let place = 0; place < places; place += 1) if (!at(now, place).equals(at(marks, place))) return place
  return undefined
}

const BLOCK = sql`position, through_id as "throughId", transfers, content_hash as "contentHash", hash`

export async function readLastBlock(db: Db): Promise<Block | undefined> {
  const { rows } =
    await sql<Block>`select ${BLOCK} from transfer_seal order by position desc limit 1`.execute(db)
  return rows[0]
}

export async function listBlocks(db: Db, after: bigint, limit: number): Promise<Block[]> {
  const { rows } = await sql<Block>`
    select ${BLOCK} from transfer_seal where position > ${after} order by position limit ${limit}`.execute(db)
  return rows
}

export async function readMarks(db: Db, position: bigint): Promise<Buffer> {
  const { rows } = await sql<{ marks: Buffer }>`
    select marks from transfer_seal where position = ${position}`.execute(db)
  return rows[0]!.marks
}

// Where a block of so many transfers ends, not after `through`. Undefined: there is none.
export async function findBlockEnd(
  db: Db,
  { after, through }: Range,
  most: number,
): Promise<bigint | undefined> {
  const { rows } = await sql<{ id: bigint | null }>`
    select max(id) as id from (select id from transfer where id > ${after} and id <= ${through} order by id limit ${most}) t`.execute(
    db,
  )
  return rows[0]?.id ?? undefined
}

export async function insertBlock(tx: Tx, block: Block, marks: Buffer): Promise<void> {
  const { position, throughId, transfers, contentHash, hash } = block
  await sql`insert into transfer_seal (position, through_id, transfers, content_hash, hash, marks)
    values (${position}, ${throughId}, ${transfers}, ${contentHash}, ${hash}, ${marks})`.execute(tx)
}

export interface SealingState {
  throughId: bigint
  newestId: bigint
  // Since the last block, or since there is an installation.
  seconds: number
}

const STATE = {
  name: 'read_transfer_sealing',
  text: `select coalesce(b.through_id, 0) as "throughId", coalesce((select max(id) from transfer), 0) as "newestId",
                extract(epoch from now() - coalesce(b.sealed_at, i.created_at))::float8 as seconds
           from installation i
           left join (select through_id, sealed_at from transfer_seal order by position desc limit 1) b on true`,
}

export async function readSealingState(database: Reader): Promise<SealingState> {
  const [state] = await database.read<SealingState & Record<string, unknown>>(STATE, [])
  return state!
}
