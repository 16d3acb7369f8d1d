import type { Database } from '#base/db/db.ts'
import { areWritesStopped, classify } from '#base/db/errors.ts'
import { TokenBucket } from '#base/queues/token-bucket.ts'
import type { RequestRecordMetrics } from '#flows/requests/metrics.ts'
import { isUnbounded } from '#modules/requests/rules.ts'
import { insertRequests } from '#modules/requests/store.ts'
import type { RequestRecord } from '#modules/requests/types.ts'

const FLUSH_MS = 1_000
const CHUNK = 1_000 // some milliseconds at the database
const MAX_WAITING = 10_000 // some 3 MB, and a quarter of a minute of purchases while the database is away
// Of each process. All that a flood can make the table grow by is 90,000 rows a day.
const FLOOD = { perSecond: 1, burst: 100 }

export interface RequestRecords {
  // Never throws, and never waits.
  record(record: RequestRecord): void
  stop(): Promise<void>
}

interface Deps {
  database: Database
  metrics: RequestRecordMetrics
  onError(error: unknown): void
}

// Gathers what was asked and writes it behind the answers, so that no purchase waits for it. A process that is killed loses the last
// second; the log has it.
export function createRequestRecords({ database, metrics, onError }: Deps): RequestRecords {
  let waiting: RequestRecord[] = []
  let writing: Promise<void> | undefined
  let isFailing = false
  const bucket = new TokenBucket(FLOOD.perSecond, performance.now(), FLOOD.burst)
  const lose = (why: 'flood' | 'full' | 'failed', count: number) => metrics.recordsLost.inc({ why }, count)

  // False if the database takes nothing now.
  async function writeChunk(size: number): Promise<boolean> {
    const chunk = waiting.slice(0, size)
    waiting = waiting.slice(size)
    try {
      await insertRequests(database, chunk, performance.now())
      isFailing = false
      return true
    } catch (error) {
      if (!isFailing) onError(error)
      isFailing = true
      // What the database refuses is not asked again. While it is away, it is: at most a chunk more than may wait.
      if (classify(error) === 'unavailable' || areWritesStopped(error)) waiting = [...chunk, ...waiting]
      else lose('failed', chunk.length)
      return false
    }
  }

  // Not those that come meanwhile: they gather for the next time.
  async function write(count: number): Promise<void> {
    for (let left = count; left > 0; left -= CHUNK) {
      if (!(await writeChunk(Math.min(left, CHUNK)))) return
    }
  }

  function flush(): Promise<void> {
    writing ??= write(waiting.length).finally(() => {
      writing = undefined
    })
    return writing
  }

  const timer = setInterval(() => void flush(), FLUSH_MS)
  timer.unref()
  return {
    record(record) {
      if (isUnbounded(record) && !bucket.take(FLOOD.perSecond, performance.now(), FLOOD.burst).allowed)
        lose('flood', 1)
      else if (waiting.length >= MAX_WAITING) lose('full', 1)
      else if (waiting.push(record) === CHUNK) void flush()
    },
    async stop() {
      clearInterval(timer)
      await writing
      await flush()
      lose('failed', waiting.length)
      waiting = []
    },
  }
}
