import { sql } from 'kysely'
import type { Tx } from '#base/db/db.ts'
import type { Vault } from './vault.ts'

// A step of a rotation: rows after `after`, in the order of their ids.
export interface RekeyChunk {
  after: string
  limit: number
}

// Undefined: there are none left.
export type Rekeyed = { last: string; count: number } | undefined

// Seals anew the next rows of a table whose sealed columns are not under the vault's own key. Columns are bound to the
// table and the row by the same names as when they were sealed.
export function rekeySealed(table: string, columns: readonly string[], key = 'id') {
  const id = sql.ref(key)
  const refs = columns.map((column) => sql.ref(column))
  return async (tx: Tx, vault: Vault, { after, limit }: RekeyChunk): Promise<Rekeyed> => {
    const isOld = refs.map((column) => sql`sealed_under(${column}) <> ${vault.sealKeyId}`)
    const { rows } = await sql<Record<string, Buffer | null> & { row_id: string }>`
      select ${id} as row_id, ${sql.join(refs)} from ${sql.table(table)}
       where ${id} > ${after}::uuid and (${sql.join(isOld, sql` or `)})
       order by ${id} limit ${limit} for no key update`.execute(tx)
    if (rows.length === 0) return undefined
    const ids = rows.map((row) => row.row_id)
    const fresh = columns.map((column) =>
      rows.map(({ row_id: row, [column]: sealed }) => {
        const place = { table, column, row }
        return sealed ? vault.seal(place, vault.open(place, sealed)) : null
      }),
    )
    const sets = refs.map((column, i) => sql`${column} = f.${sql.ref(columns[i]!)}`)
    await sql`
      update ${sql.table(table)} t set ${sql.join(sets)}
        from unnest(${ids}::uuid[], ${sql.join(fresh.map((sealed) => sql`${sealed}::bytea[]`))})
             as f (row_id, ${sql.join(refs)})
       where t.${id} = f.row_id`.execute(tx)
    return { last: ids.at(-1)!, count: ids.length }
  }
}
