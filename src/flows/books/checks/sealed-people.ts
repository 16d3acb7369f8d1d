import { sql } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db } from '#base/db/db.ts'
import { searchHashes } from '#modules/members/search.ts'
import { collect, opened } from './sealed-rows.ts'

// Checks that need the keys: who a member is. Whoever exchanges two of these by SQL verifies as one person, and gets what another holds.

interface CiRow {
  id: string
  ci: Buffer
  hmac: Buffer
  place: string
}

// Identity finds a member by the hash of the CI. The sealed CI says whose it is. Hashes under another key wait for a rotation.
export function findForeignCis(db: Db, vault: Vault): Promise<string[]> {
  return collect(async (last, most) => {
    const { rows } = await sql<CiRow>`
      select m.id, m.ci, c.hmac, encode(c.hmac, 'hex') as place
        from (select * from member_ci where key_id = ${vault.indexKeyId} and hmac > decode(${last ?? ''}, 'hex')
               order by hmac limit ${most}) c
        join member m on m.id = c.member_id order by c.hmac`.execute(db)
    return { last: rows.at(-1)?.place, wrong: rows.filter((row) => !isOwnCi(vault, row)).map(({ id }) => id) }
  })
}

function isOwnCi(vault: Vault, { id, ci, hmac }: CiRow): boolean {
  const text = opened(vault, { table: 'member', column: 'ci', row: id }, ci)
  return text !== undefined && hmac.equals(vault.index('ci', text))
}

interface DetailsRow {
  id: string
  details: Buffer
  phone: Buffer | null
  key: string | null
}

// Where members are told of withdrawals, and what support finds them by.
export function findForeignDetails(db: Db, vault: Vault): Promise<string[]> {
  return collect(async (last, most) => {
    const { rows } = await sql<DetailsRow>`
      select id, details, phone_index as phone, search_key as key from member_account
       where id > ${last ?? '00000000-0000-0000-0000-000000000000'}::uuid and details is not null
       order by id limit ${most}`.execute(db)
    return {
      last: rows.at(-1)?.id,
      wrong: rows.filter((row) => !areOwnDetails(vault, row)).map(({ id }) => id),
    }
  })
}

function areOwnDetails(vault: Vault, { id, details, phone, key }: DetailsRow): boolean {
  const text = opened(vault, { table: 'member_account', column: 'details', row: id }, details)
  if (text === undefined) return false
  if (phone === null || key !== vault.indexKeyId) return true
  const { mdn } = JSON.parse(text) as { mdn: string }
  return searchHashes(vault, 'phone', mdn).some((hash) => hash.equals(phone))
}
