import { sql } from 'kysely'
import type { Tx } from '#base/db.ts'
import type { Vault } from '#base/vault.ts'

// Like rekeyCards: the next withdrawals after `after` whose destination is not under the vault's own key.
export async function rekeyWithdrawals(
  tx: Tx,
  vault: Vault,
  { after, limit }: { after: string; limit: number },
): Promise<{ last: string; count: number } | undefined> {
  const { rows } = await sql<{ id: string; destination: Buffer }>`
    select id, destination from withdrawal
     where id > ${after}::uuid and sealed_under(destination) <> ${vault.sealKeyId}
     order by id limit ${limit} for no key update`.execute(tx)
  if (rows.length === 0) return undefined
  const fresh = rows.map(({ id, destination }) => {
    const place = { table: 'withdrawal', column: 'destination', row: id }
    return vault.seal(place, vault.open(place, destination))
  })
  const ids = rows.map((row) => row.id)
  await sql`
    update withdrawal w set destination = f.destination
      from unnest(${ids}::uuid[], ${fresh}::bytea[]) as f (id, destination) where w.id = f.id`.execute(tx)
  return { last: ids.at(-1)!, count: ids.length }
}
