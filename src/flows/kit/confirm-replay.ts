import { sql } from 'kysely'
import type { Tx } from '#base/db/db.ts'

// A replay acknowledges an earlier commit. A small write of its own makes it wait for replication as that commit did, so
// it never vouches for a row that a failover may still lose (decisions/0006). SQL functions do the same by themselves.
export async function confirmReplay(tx: Tx): Promise<void> {
  await sql`select pg_logical_emit_message(true, 'ingot', 'replay')`.execute(tx)
}
