import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#base/db/db.ts'
import { failureFields } from '#base/db/errors.ts'
import { type Log, stackOf } from '#base/log.ts'
import { createCountFigures } from '#flows/overview/count-figures.ts'
import type { Pace } from '#jobs/pace.ts'

const EVERY_MS = 2_000 // a person who watches the console sees a purchase within seconds
const AFTER_FAILURE_MS = 10_000

interface Keeping {
  stop(): Promise<void>
}

// Counts figures all the time. Not a job of the queue: that would write a row every two seconds. Two workers at once do no harm,
// the second finds the place taken.
export function keepFigures({
  database,
  log,
  pace,
}: {
  database: Database
  log: Log
  pace: Pick<Pace, 'inTurn'>
}): Keeping {
  const stopping = new AbortController()
  const count = createCountFigures(database, { inTurn: pace.inTurn })

  async function countOnce(): Promise<number> {
    try {
      await count({ isStopping: () => stopping.signal.aborted })
      return EVERY_MS
    } catch (error) {
      if (!stopping.signal.aborted)
        log.error('figures not counted', {
          job: 'keep_figures',
          ...failureFields(error),
          stack: stackOf(error),
        })
      return AFTER_FAILURE_MS
    }
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const restMs = await countOnce()
      await sleep(restMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const looping = loop()
  return {
    async stop() {
      stopping.abort()
      await looping
    },
  }
}
