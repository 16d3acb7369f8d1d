import { classify, type DbFailure } from '#base/db/errors.ts'
import type { BatchMetrics } from '#base/metrics.ts'
import { Batcher, type BatchOptions, Failed, runOneByOne } from '#base/queues/batch.ts'
import { retryDeadlocked } from '#flows/kit/retries.ts'

// A command's outcome, or an error that concerns this command only.
type Settled<Outcome> = Outcome | Failed

// Failures that one command can cause. Nothing was written.
const ALONE: ReadonlySet<DbFailure> = new Set(['conflict', 'bad_value'])

export interface BatchedWrite<Entry, Outcome> extends Omit<BatchOptions<Entry, unknown>, 'run' | 'onBatch'> {
  // The label of its metrics.
  name: string
  // A command of the command line counts nothing.
  metrics: BatchMetrics | undefined
  // One statement for all, and one outcome for each.
  write(batch: readonly Entry[]): Promise<readonly Outcome[]>
}

// Commands gather, are written at once, and each gets its own outcome or its own error.
export function createBatchedWrite<Entry, Outcome>({
  name,
  metrics,
  write,
  ...limits
}: BatchedWrite<Entry, Outcome>): (entry: Entry) => Promise<Outcome> {
  const label = { batch: name }
  const onRerun = () => metrics?.batchRerun.inc(label)
  const batcher = new Batcher<Entry, Outcome>({
    ...limits,
    async run(batch) {
      const endTimer = metrics?.batchSeconds.startTimer(label)
      try {
        return await settle({ write, onRerun }, batch)
      } finally {
        endTimer?.()
      }
    },
    onBatch: (size) => metrics?.batchSize.observe(label, size),
  })
  return (entry) => batcher.submit(entry)
}

interface BatchWork<Entry, Outcome> {
  // One statement for all, and one outcome for each.
  write(batch: readonly Entry[]): Promise<readonly Outcome[]>
  onRerun(): void
}

// Writes a batch at once. If the database refuses the batch, each command runs alone, so that only a bad one fails.
async function settle<Entry, Outcome>(
  work: BatchWork<Entry, Outcome>,
  batch: readonly Entry[],
): Promise<readonly Settled<Outcome>[]> {
  try {
    return await work.write(batch)
  } catch (error) {
    // A lost connection reruns nothing: its commit may have happened.
    if (!ALONE.has(classify(error))) throw error
    work.onRerun()
    return runOneByOne(batch, (entry) => settleAlone(work, entry))
  }
}

async function settleAlone<Entry, Outcome>(
  work: BatchWork<Entry, Outcome>,
  entry: Entry,
): Promise<Settled<Outcome>> {
  try {
    const [outcome] = await retryDeadlocked(() => work.write([entry]))
    return outcome!
  } catch (error) {
    return new Failed(error)
  }
}
