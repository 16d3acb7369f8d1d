import { sql } from 'kysely'
import type { Vault, VaultKeeper } from '#base/crypto/vault.ts'
import type { Database, Tx } from '#base/db/db.ts'
import { retryDeadlocked, retryStaleKeys } from '#flows/kit/retries.ts'

export interface VaultDeps {
  database: Database
  keys: VaultKeeper
}

// A transaction that seals people's data or searches for people. It holds the shared lock of the keys, so that the keys in
// force do not change until it ends. If the vault has older keys, it wrote nothing and runs again with the new ones.
export async function withVault<Result>(
  { database, keys }: VaultDeps,
  work: (tx: Tx, vault: Vault) => Promise<Result>,
): Promise<Result> {
  const { done } = await retryStaleKeys(keys, (vault) =>
    retryDeadlocked(() =>
      database.withTransaction(async (tx) =>
        (await isInForce(tx, vault)) ? { done: await work(tx, vault) } : 'stale_keys',
      ),
    ),
  )
  return done
}

async function isInForce(tx: Tx, vault: Vault): Promise<boolean> {
  await sql`select pg_advisory_xact_lock_shared(key_lock())`.execute(tx)
  const { key_epoch } = await tx.selectFrom('installation').select('key_epoch').executeTakeFirstOrThrow()
  return key_epoch === vault.epoch
}
