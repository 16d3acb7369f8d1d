import { isDeadlock, Unavailable } from '#base/db-errors.ts'
import type { Vault, VaultKeeper } from '#base/vault.ts'

const DEADLOCK_TRIES = 3
const STALE_TRIES = 5 // a rotation changes the keys twice, seconds apart

// PostgreSQL rolls back one of two deadlocked transactions. It wrote nothing, so it can run again once the other is done.
export async function retryDeadlocked<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isDeadlock(error) || tries === DEADLOCK_TRIES) throw error
    }
  }
}

// The database's answer when a value was sealed or searched with keys that are no longer in force. Nothing was written.
export type StaleKeys = 'stale_keys'

export async function retryStaleKeys<Result>(
  keys: VaultKeeper,
  work: (vault: Vault) => Promise<Result | StaleKeys>,
): Promise<Result> {
  let vault = keys.vault()
  for (let tries = 1; tries <= STALE_TRIES; tries += 1) {
    const outcome = await work(vault)
    if (outcome !== 'stale_keys') return outcome
    vault = await keys.refresh()
  }
  throw new Unavailable('the keys in force change faster than they can be followed')
}
