import { sql } from 'kysely'
import type { Database, Db } from '#base/db/db.ts'
import type { Balance } from '#modules/closed-days/types.ts'

const NOW = sql<Balance>`
  select kind as account, asset, coalesce(partner_id, 0) as "partnerId", sum(balance)::bigint as balance
    from account group by 1, 2, 3`

// What transfers after the position moved, seen in the same snapshot. The number stands in the text: planned for any number, the
// statement might read all transfers.
const since = (position: bigint) => sql<Balance>`
  select a.kind as account, a.asset, coalesce(a.partner_id, 0) as "partnerId", sum(l.net)::bigint as balance
    from (select debit_account as account, -amount as net from transfer where id > ${sql.raw(position.toString())}
          union all select credit_account, amount from transfer where id > ${sql.raw(position.toString())}) l
    join account a on a.id = l.account group by 1, 2, 3`

// What the accounts held when the ledger was at a position: their balances of now, rewound.
export function readAccountsAt(
  database: Database,
  position: bigint,
): Promise<{ now: Balance[]; since: Balance[] }> {
  return database.withSnapshot(async (db: Db) => {
    const now = await NOW.execute(db)
    const moved = await since(position).execute(db)
    return { now: now.rows, since: moved.rows }
  })
}
