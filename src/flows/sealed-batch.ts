import { classify, Unavailable } from '#base/db-errors.ts'
import type { Vault, VaultKeeper } from '#base/vault.ts'

// A command that waits for its batch, with what it will be stored as: sealed before it joins, so that the
// database does not wait for it.
export interface Sealable<Command, Sealed> {
  readonly command: Command
  sealed: Sealed & { readonly epoch: number }
}

// A command's outcome, or the error that befell it alone.
export type Settled<Outcome> = Outcome | { kind: 'failed'; error: unknown }

interface BatchDeps<Command, Sealed, Outcome> {
  keys: VaultKeeper
  seal(vault: Vault, command: Command): Sealed & { readonly epoch: number }
  // One statement for all. The database takes nothing that was sealed in another epoch than the present one.
  write(epoch: number, sealed: readonly Sealed[]): Promise<Outcome[] | 'stale_keys'>
  onRerun(): void
}

const STALE_TRIES = 5 // a rotation changes the keys twice, seconds apart
const DEADLOCK_TRIES = 3

export async function settleBatch<Command, Sealed, Outcome extends { kind: string }>(
  deps: BatchDeps<Command, Sealed, Outcome>,
  batch: readonly Sealable<Command, Sealed>[],
): Promise<Settled<Outcome>[]> {
  try {
    return await writeSealed(deps, batch)
  } catch (error) {
    // Nothing was written. A lost connection reruns nothing: its commit may have happened.
    if (classify(error) !== 'conflict') throw error
    deps.onRerun()
    return runOneByOne(deps, batch)
  }
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

async function runOneByOne<Command, Sealed, Outcome extends { kind: string }>(
  deps: BatchDeps<Command, Sealed, Outcome>,
  batch: readonly Sealable<Command, Sealed>[],
): Promise<Settled<Outcome>[]> {
  const settled: Settled<Outcome>[] = []
  let lost: { kind: 'failed'; error: unknown } | undefined
  for (const entry of batch) {
    // Once the database is away, the rest need not find out one after the other.
    const outcome = lost ?? (await runAlone(deps, entry))
    settled.push(outcome)
    if (isFailed(outcome) && classify(outcome.error) === 'unavailable') lost = outcome
  }
  return settled
}

export function isFailed(outcome: { kind: string }): outcome is { kind: 'failed'; error: unknown } {
  return outcome.kind === 'failed'
}

// One by one, so that a command the database will not take fails alone.
async function runAlone<Command, Sealed, Outcome>(
  deps: BatchDeps<Command, Sealed, Outcome>,
  entry: Sealable<Command, Sealed>,
): Promise<Settled<Outcome>> {
  for (let tries = 1; ; tries += 1) {
    try {
      const [outcome] = await writeSealed(deps, [entry])
      return outcome!
    } catch (error) {
      const deadlocked = /^40/.test((error as { code?: string }).code ?? '')
      if (!deadlocked || tries === DEADLOCK_TRIES) return { kind: 'failed', error }
    }
  }
}
