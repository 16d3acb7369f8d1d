import { sql } from 'kysely'
import type { Tx } from '#base/db.ts'
import type { Vault } from '#base/vault.ts'

// Like rekeyMembers: the next passkeys after `after` whose names are not under the vault's own key.
export async function rekeyPasskeys(
  tx: Tx,
  vault: Vault,
  { after, limit }: { after: string; limit: number },
): Promise<{ last: string; count: number } | undefined> {
  const { rows } = await sql<{ id: string; name: Buffer }>`
    select id, name from passkey
     where id > ${after}::uuid and sealed_under(name) <> ${vault.sealKeyId}
     order by id limit ${limit} for no key update`.execute(tx)
  if (rows.length === 0) return undefined
  const fresh = rows.map(({ id, name }) => {
    const place = { table: 'passkey', column: 'name', row: id }
    return vault.seal(place, vault.open(place, name))
  })
  const ids = rows.map((row) => row.id)
  await sql`update passkey p set name = f.name
    from unnest(${ids}::uuid[], ${fresh}::bytea[]) as f (id, name) where p.id = f.id`.execute(tx)
  return { last: ids.at(-1)!, count: ids.length }
}
