import { sql } from 'kysely'
import type { Database, Tx } from '#base/db.ts'
import { Unavailable } from '#base/db-errors.ts'
import type { Vault, VaultKeeper } from '#base/vault.ts'

export interface VaultDeps {
  database: Database
  keys: VaultKeeper
}

const STALE = Symbol('stale keys')
const STALE_TRIES = 5 // a rotation changes the keys twice, seconds apart
const DEADLOCK_TRIES = 3

// A transaction that seals people's data or finds people: under the shared gate, with the keys in force, which stay what
// they are until it ends. One that met other keys is begun again with those; nothing of it was written.
export async function withVault<Result>(
  { database, keys }: VaultDeps,
  work: (tx: Tx, vault: Vault) => Promise<Result>,
): Promise<Result> {
  let vault = keys.vault()
  for (let tries = 1; tries <= STALE_TRIES; tries += 1) {
    const outcome = await retryDeadlocked(() =>
      database.withTransaction(async (tx) => ((await isInForce(tx, vault)) ? work(tx, vault) : STALE)),
    )
    if (outcome !== STALE) return outcome as Result
    vault = await keys.refresh()
  }
  throw new Unavailable('the keys in force change faster than they can be followed')
}

async function isInForce(tx: Tx, vault: Vault): Promise<boolean> {
  await sql`select pg_advisory_xact_lock_shared(4857102)`.execute(tx)
  const { key_epoch } = await tx.selectFrom('installation').select('key_epoch').executeTakeFirstOrThrow()
  return key_epoch === vault.epoch
}

// Nothing was written by the one that was given up: begun again, it finds the other one done.
export async function retryDeadlocked<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      const deadlocked = /^40/.test((error as { code?: string }).code ?? '')
      if (!deadlocked || tries === DEADLOCK_TRIES) throw error
    }
  }
}
