import { sql } from 'kysely'
import type { Tx } from '#base/db.ts'
import type { Vault } from '#base/vault.ts'

// Like rekeyMembers: the next accounts after `after` whose details are not under the vault's own key.
export async function rekeyAccounts(
  tx: Tx,
  vault: Vault,
  { after, limit }: { after: string; limit: number },
): Promise<{ last: string; count: number } | undefined> {
  const { rows } = await sql<{ id: string; details: Buffer }>`
    select id, details from member_account
     where id > ${after}::uuid and sealed_under(details) <> ${vault.sealKeyId}
     order by id limit ${limit} for no key update`.execute(tx)
  if (rows.length === 0) return undefined
  const fresh = rows.map(({ id, details }) => {
    const place = { table: 'member_account', column: 'details', row: id }
    return vault.seal(place, vault.open(place, details))
  })
  const ids = rows.map((row) => row.id)
  await sql`update member_account a set details = f.details
    from unnest(${ids}::uuid[], ${fresh}::bytea[]) as f (id, details) where a.id = f.id`.execute(tx)
  return { last: ids.at(-1)!, count: ids.length }
}
