import { sql } from 'kysely'
import type { RekeyChunk } from '#base/crypto/rekey.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db, Tx } from '#base/db/db.ts'

// What support finds people by: keyed hashes of the name and the number that a member verified, and that partners told.
const SEARCHED = { phone: 'phone_index', name: 'name_index' } as const
export type SearchedBy = keyof typeof SEARCHED

// The two tables that have people's details, each sealed for its own rows.
const TABLES = ['partner_user', 'member_account'] as const
type PeopleTable = (typeof TABLES)[number]

// The same name written in another way is the same: in parts or whole letters, with blanks or without, in capitals or not.
function nameToFind(name: string): string {
  return name.normalize('NFC').replace(/\s+/gu, '').toLowerCase()
}

// The digits as people dial them, however they were written.
export function phoneToFind(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  const abroad = /^(?:00)?82(\d{8,})$/.exec(digits)
  return abroad ? `0${abroad[1]!.replace(/^0/, '')}` : digits
}

const READ: Record<SearchedBy, (text: string) => string> = { phone: phoneToFind, name: nameToFind }

// While a rotation runs a row may be under either key.
export function searchHashes(vault: Vault, by: SearchedBy, text: string): Buffer[] {
  const { current, next } = vault.indexes(`member ${by}`, READ[by](text))
  return next ? [current, next] : [current]
}

export const MAX_FOUND = 50

// `more`: there are others, who are not told.
export async function findMembersBy(
  db: Db,
  by: SearchedBy,
  hashes: readonly Buffer[],
): Promise<{ ids: string[]; more: boolean }> {
  const column = sql.ref(SEARCHED[by])
  const { rows } = await sql<{ id: string }>`
    select distinct member_id as id from (
      select member_id from member_account where ${column} = any(${hashes}::bytea[])
      union all
      select member_id from partner_user where ${column} = any(${hashes}::bytea[])) found
     order by id limit ${MAX_FOUND + 1}`.execute(db)
  return { ids: rows.slice(0, MAX_FOUND).map(({ id }) => id), more: rows.length > MAX_FOUND }
}

interface Unindexed {
  id: string
  details: Buffer
}

// The next rows without an index, whichever release wrote them. Rows that another transaction holds are left for the
// next time.
export async function indexPeople(tx: Tx, vault: Vault, limit: number): Promise<number> {
  let done = 0
  for (const table of TABLES) {
    const { rows } = await sql<Unindexed>`
      select id, details from ${sql.table(table)} where search_key is null and details is not null
       order by id limit ${limit} for no key update skip locked`.execute(tx)
    await write(tx, vault, table, rows)
    done += rows.length
  }
  return done
}

// Like rekeyMembers: the next rows after `after` that are not under the vault's own key, or under none.
export function rekeySearch(table: PeopleTable) {
  return async (tx: Tx, vault: Vault, { after, limit }: RekeyChunk) => {
    const { rows } = await sql<Unindexed>`
      select id, details from ${sql.table(table)}
       where id > ${after}::uuid and search_key is distinct from ${vault.indexKeyId} and details is not null
       order by id limit ${limit} for no key update`.execute(tx)
    if (rows.length === 0) return undefined
    await write(tx, vault, table, rows)
    return { last: rows.at(-1)!.id, count: rows.length }
  }
}

async function write(tx: Tx, vault: Vault, table: PeopleTable, rows: readonly Unindexed[]): Promise<void> {
  if (rows.length === 0) return
  const people = rows.map(({ id, details }) => {
    const { name, mdn } = JSON.parse(vault.open({ table, column: 'details', row: id }, details)) as {
      name: string
      mdn: string
    }
    const index = (by: SearchedBy, text: string) => vault.index(`member ${by}`, READ[by](text))
    return { id, phone: index('phone', mdn), name: index('name', name) }
  })
  await sql`
    update ${sql.table(table)} p set phone_index = f.phone, name_index = f.name, search_key = ${vault.indexKeyId}
      from unnest(${people.map((p) => p.id)}::uuid[], ${people.map((p) => p.phone)}::bytea[],
                  ${people.map((p) => p.name)}::bytea[]) as f (id, phone, name)
     where p.id = f.id`.execute(tx)
}
