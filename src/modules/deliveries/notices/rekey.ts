import { sql } from 'kysely'
import type { Tx } from '#base/db.ts'
import type { Vault } from '#base/vault.ts'

// Like rekeyCards: the next notices after `after` that are not under the vault's own key.
export async function rekeyNotices(
  tx: Tx,
  vault: Vault,
  { after, limit }: { after: string; limit: number },
): Promise<{ last: string; count: number } | undefined> {
  const { rows } = await sql<{ key: string; recipient: Buffer; content: Buffer }>`
    select key, recipient, content from notice
     where key > ${after}::uuid
       and (sealed_under(recipient) <> ${vault.sealKeyId} or sealed_under(content) <> ${vault.sealKeyId})
     order by key limit ${limit} for no key update`.execute(tx)
  if (rows.length === 0) return undefined
  const fresh = rows.map(({ key, recipient, content }) => {
    const again = (column: string, sealed: Buffer) => {
      const place = { table: 'notice', column, row: key }
      return vault.seal(place, vault.open(place, sealed))
    }
    return { recipient: again('recipient', recipient), content: again('content', content) }
  })
  const keys = rows.map(({ key }) => key)
  await sql`update notice n set recipient = f.recipient, content = f.content
    from unnest(${keys}::uuid[], ${fresh.map((f) => f.recipient)}::bytea[],
                ${fresh.map((f) => f.content)}::bytea[]) as f (key, recipient, content)
   where n.key = f.key`.execute(tx)
  return { last: keys.at(-1)!, count: keys.length }
}
