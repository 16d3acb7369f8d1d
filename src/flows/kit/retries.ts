import { setTimeout as sleep } from 'node:timers/promises'
import type { Vault, VaultKeeper } from '#base/crypto/vault.ts'
import { classify, isDeadlock, Unavailable } from '#base/db/errors.ts'

const AT_ONCE = [0, 0]
const STALE_TRIES = 5 // a rotation changes the keys twice, seconds apart

// PostgreSQL rolls back one of two deadlocked transactions. It wrote nothing, so it can run again once the other is done.
export function retryDeadlocked<Result>(work: () => Promise<Result>): Promise<Result> {
  return retry(work, isDeadlock, AT_ONCE)
}

// Also waits for a database that is busy or away for a moment, which a caller with an answer to give would not do.
export function retryPatiently<Result>(
  work: () => Promise<Result>,
  pausesMs: readonly number[],
): Promise<Result> {
  return retry(work, (error) => isDeadlock(error) || classify(error) === 'unavailable', pausesMs)
}

async function retry<Result>(
  work: () => Promise<Result>,
  passes: (error: unknown) => boolean,
  pausesMs: readonly number[],
): Promise<Result> {
  for (const pause of pausesMs) {
    try {
      return await work()
    } catch (error) {
      if (!passes(error)) throw error
    }
    if (pause > 0) await sleep(pause)
  }
  return work()
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
