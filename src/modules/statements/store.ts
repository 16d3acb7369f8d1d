import { timingSafeEqual } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import { rekeySealed } from '#base/crypto/rekey.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db, Tx } from '#base/db/db.ts'
import { deleteOld } from '#base/db/delete-old.ts'
import { hashOfCheckCode } from './check-code.ts'
import type { IssuedStatement } from './types.ts'

type Document = Omit<IssuedStatement, 'number' | 'issuedAt'> & { version: 1 }

const placeOf = (row: string) => ({ table: 'issued_statement', column: 'document', row })

// Packed first: what is sealed cannot be.
function seal(vault: Vault, id: string, document: Document): Buffer {
  return vault.seal(placeOf(id), deflateRawSync(JSON.stringify(document)).toString('base64'))
}

interface Row {
  id: string
  number: string
  code_hash: Buffer
  document: Buffer
  issued_at: Temporal.Instant
}

function open(vault: Vault, { id, number, document, issued_at }: Row): IssuedStatement {
  const packed = Buffer.from(vault.open(placeOf(id), document), 'base64')
  const { version: _, ...said } = JSON.parse(inflateRawSync(packed).toString()) as Document
  return { ...said, number, issuedAt: issued_at }
}

// Undefined: the number or the request is taken.
export async function insertStatement(
  tx: Tx,
  vault: Vault,
  {
    id,
    holderId,
    requestId,
    statement,
  }: { id: string; holderId: string; requestId: string; statement: Draft },
): Promise<IssuedStatement | undefined> {
  const { number, ...said } = statement
  const { rows } = await sql<{ issued_at: Temporal.Instant }>`
    insert into issued_statement (id, number, code_hash, holder_id, request_id, document, issued_at)
    values (${id}, ${number}, ${hashOfCheckCode(said.code)}, ${holderId}, ${requestId},
            ${seal(vault, id, { ...said, version: 1 })}, service_now())
    on conflict do nothing returning issued_at`.execute(tx)
  return rows[0] && { ...statement, issuedAt: rows[0].issued_at }
}

type Draft = Omit<IssuedStatement, 'issuedAt'>

export async function findEarlierRequest(
  db: Db,
  vault: Vault,
  { holderId, requestId }: { holderId: string; requestId: string },
): Promise<IssuedStatement | undefined> {
  const { rows } = await sql<Row>`
    select id, number, code_hash, document, issued_at from issued_statement
     where holder_id = ${holderId} and request_id = ${requestId}`.execute(db)
  return rows[0] && open(vault, rows[0])
}

export async function findNumbered(
  db: Db,
  vault: Vault,
  { holderId, number }: { holderId: string; number: string },
): Promise<IssuedStatement | undefined> {
  const { rows } = await sql<Row>`
    select id, number, code_hash, document, issued_at from issued_statement
     where number = ${number} and holder_id = ${holderId}`.execute(db)
  return rows[0] && open(vault, rows[0])
}

// Found by what is printed on it. A wrong code and an unknown number get the same answer.
export async function findPrinted(
  db: Db,
  vault: Vault,
  { number, code }: { number: string; code: string },
): Promise<IssuedStatement | undefined> {
  const { rows } = await sql<Row>`
    select id, number, code_hash, document, issued_at from issued_statement where number = ${number}`.execute(
    db,
  )
  const [row] = rows
  return row && timingSafeEqual(row.code_hash, hashOfCheckCode(code)) ? open(vault, row) : undefined
}

export async function countRecent(db: Db, holderId: string): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from issued_statement
     where holder_id = ${holderId} and issued_at > service_now() - interval '1 day'`.execute(db)
  return Number(rows[0]!.count)
}

export const rekeyStatements = rekeySealed('issued_statement', ['document'])

// Five years, as the law has it for records of contracts.
export const deleteOldStatements = deleteOld(
  'issued_statement',
  "issued_at < service_now() - interval '5 years'",
)
