import { sql } from 'kysely'
import type { Db } from '#base/db/db.ts'

// The action of a block's entry, by which `verify` finds it.
export const SEAL_ACTION = 'books.seal'

export interface Noted {
  position: bigint
  entry: bigint
  hash: string | null
  // Whose accounts are, up to this one. Null: an earlier release sealed the block, or there were no new ones.
  accounts: { throughId: bigint; hash: string | null } | null
}

// What the audit log says of each block, in their order.
export async function listNoted(db: Db): Promise<Noted[]> {
  const { rows } = await sql<
    Omit<Noted, 'accounts'> & { through: bigint | null; accountsHash: string | null }
  >`
    select distinct on (1) (details ->> 'position')::bigint as position, id as entry, details ->> 'hash' as hash,
           case when details ->> 'accountsThroughId' ~ '^[0-9]{1,18}$' then (details ->> 'accountsThroughId')::bigint end as through,
           details ->> 'accountsHash' as "accountsHash"
      from audit_entry where action = ${SEAL_ACTION} and details ->> 'position' ~ '^[0-9]{1,18}$' order by 1, id`.execute(
    db,
  )
  return rows.map(({ through, accountsHash, ...rest }) => ({
    ...rest,
    accounts: through === null ? null : { throughId: through, hash: accountsHash },
  }))
}
