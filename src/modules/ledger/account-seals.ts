import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#base/db/db.ts'
import type { Range } from './seals.ts'

// Whose a ledger account is. No act ever changes it, so it is sealed once, with the block of transfers that follows. Balances, floors and
// costs change, and are left out.

const CHUNK = 20_000

const LINE = sql`concat_ws('|', id, kind, asset, coalesce(partner_id, 0), shard, coalesce(holder_id::text, '-'))`

// Where so many accounts end, not after `through`. Undefined: there is none.
export async function findAccountsEnd(
  db: Db,
  { after, through }: Range,
  most: number,
): Promise<bigint | undefined> {
  const { rows } = await sql<{ id: bigint | null }>`
    select max(id) as id from (select id from account where id > ${after} and id <= ${through} order by id limit ${most}) a`.execute(
    db,
  )
  return rows[0]?.id ?? undefined
}

// Chunk by chunk: the first sealing after an upgrade, and a whole verification, read many.
export async function hashAccounts(db: Db, { after, through }: Range): Promise<Buffer> {
  const hash = createHash('sha256').update('account holders v1\0')
  for (let last = after; ; ) {
    const { rows } = await sql<{ text: string | null; last: bigint | null }>`
      select string_agg(${LINE}, E'\n' order by id) as text, max(id) as last
        from (select * from account where id > ${last} and id <= ${through} order by id limit ${CHUNK}) a`.execute(
      db,
    )
    const { text, last: end } = rows[0]!
    if (text === null || end === null) return hash.digest()
    hash.update(`${text}\n`)
    last = end
  }
}
