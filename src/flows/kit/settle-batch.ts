import { classify, type DbFailure } from '#base/db-errors.ts'

// A command's outcome, or the error that befell it alone.
export type Settled<Outcome> = Outcome | { kind: 'failed'; error: unknown }

const DEADLOCK_TRIES = 3
// Failures that one command can cause. Nothing was written.
const ALONE: ReadonlySet<DbFailure> = new Set(['conflict', 'bad_value'])

interface BatchWork<Entry, Outcome> {
  // One statement for all, and one outcome for each.
  write(batch: readonly Entry[]): Promise<readonly Outcome[]>
  onRerun(): void
}

// Writes a batch at once, and one by one if the database will not take it together, so that a command that it will not
// take at all fails alone.
export async function settle<Entry, Outcome extends { kind: string }>(
  work: BatchWork<Entry, Outcome>,
  batch: readonly Entry[],
): Promise<readonly Settled<Outcome>[]> {
  try {
    return await work.write(batch)
  } catch (error) {
    // A lost connection reruns nothing: its commit may have happened.
    if (!ALONE.has(classify(error))) throw error
    work.onRerun()
    return settleOneByOne(work, batch)
  }
}

async function settleOneByOne<Entry, Outcome extends { kind: string }>(
  work: BatchWork<Entry, Outcome>,
  batch: readonly Entry[],
): Promise<Settled<Outcome>[]> {
  const settled: Settled<Outcome>[] = []
  let lost: { kind: 'failed'; error: unknown } | undefined
  for (const entry of batch) {
    // Once the database is away, the rest need not find out one after the other.
    const outcome = lost ?? (await settleAlone(work, entry))
    settled.push(outcome)
    if (isFailed(outcome) && classify(outcome.error) === 'unavailable') lost = outcome
  }
  return settled
}

export function isFailed(outcome: { kind: string }): outcome is { kind: 'failed'; error: unknown } {
  return outcome.kind === 'failed'
}

async function settleAlone<Entry, Outcome>(
  work: BatchWork<Entry, Outcome>,
  entry: Entry,
): Promise<Settled<Outcome>> {
  for (let tries = 1; ; tries += 1) {
    try {
      const [outcome] = await work.write([entry])
      return outcome!
    } catch (error) {
      const deadlocked = /^40/.test((error as { code?: string }).code ?? '')
      if (!deadlocked || tries === DEADLOCK_TRIES) return { kind: 'failed', error }
    }
  }
}
