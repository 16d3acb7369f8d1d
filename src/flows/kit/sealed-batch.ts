import { Unavailable } from '#base/db-errors.ts'
import type { Vault, VaultKeeper } from '#base/vault.ts'
import { type Settled, settle } from '#flows/kit/settle-batch.ts'

// A command that waits for its batch, with what it will be stored as: sealed before it joins, so that the
// database does not wait for it.
export interface Sealable<Command, Sealed> {
  readonly command: Command
  sealed: Sealed & { readonly epoch: number }
}

interface BatchDeps<Command, Sealed, Outcome> {
  keys: VaultKeeper
  seal(vault: Vault, command: Command): Sealed & { readonly epoch: number }
  // One statement for all. The database takes nothing that was sealed in another epoch than the present one.
  write(epoch: number, sealed: readonly Sealed[]): Promise<Outcome[] | 'stale_keys'>
  onRerun(): void
}

const STALE_TRIES = 5 // a rotation changes the keys twice, seconds apart

export function settleBatch<Command, Sealed, Outcome extends { kind: string }>(
  deps: BatchDeps<Command, Sealed, Outcome>,
  batch: readonly Sealable<Command, Sealed>[],
): Promise<readonly Settled<Outcome>[]> {
  return settle({ write: (entries) => writeSealed(deps, entries), onRerun: deps.onRerun }, batch)
}

async function writeSealed<Command, Sealed, Outcome>(
  { keys, seal, write }: BatchDeps<Command, Sealed, Outcome>,
  batch: readonly Sealable<Command, Sealed>[],
): Promise<Outcome[]> {
  for (let tries = 1; tries <= STALE_TRIES; tries += 1) {
    const vault = keys.vault()
    for (const entry of batch) {
      if (entry.sealed.epoch !== vault.epoch) entry.sealed = seal(vault, entry.command)
    }
    const outcomes = await write(
      vault.epoch,
      batch.map((entry) => entry.sealed),
    )
    if (outcomes !== 'stale_keys') return outcomes
    await keys.refresh()
  }
  throw new Unavailable('the keys in force change faster than they can be followed')
}
