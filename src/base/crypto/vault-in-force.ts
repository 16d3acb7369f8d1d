import { sql } from 'kysely'
import type { Tx } from '#base/db/db.ts'
import type { Vault, VaultKeeper } from './vault.ts'

const TRIES = 3 // a read that was under way during a change still brings the keys before

// The vault of the keys in force, which stay in force until this transaction ends. For a transaction that has begun and may
// not be run again; others use flows/kit/with-vault.ts. The transaction that changes the keys gets those before: what it
// seals is sealed anew by the rotation that it begins.
export async function vaultInForce(tx: Tx, keys: VaultKeeper): Promise<Vault> {
  await sql`select pg_advisory_xact_lock_shared(key_lock())`.execute(tx)
  const { key_epoch } = await tx.selectFrom('installation').select('key_epoch').executeTakeFirstOrThrow()
  let vault = keys.vault()
  for (let tries = 1; vault.epoch !== key_epoch && tries <= TRIES; tries += 1) vault = await keys.refresh()
  return vault
}
