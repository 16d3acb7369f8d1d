import { setTimeout as sleep } from 'node:timers/promises'
import { WrongDatabase } from './history.ts'

// How long a migration waits for a table. Later statements wait behind it, and a purchase gives up after 1.5 s.
export const TABLE_WAIT_MS = 300
const TABLE_PAUSE_MS = 500
const TABLE_PATIENCE_MS = 60_000
const LOCK_NOT_AVAILABLE = '55P03'

// While others are at work on the tables it changes, a migration lets go of everything, lets them pass and begins again. `work`
// waits for a table for TABLE_WAIT_MS at most.
export async function whenFree(name: string, work: () => Promise<void>): Promise<void> {
  const began = performance.now()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
      if (performance.now() - began > TABLE_PATIENCE_MS) {
        throw new WrongDatabase(
          `migration ${name} found its tables in use for a minute and was given up; nothing of it was ` +
            'kept. Wait for the long transaction to end (a backup, a report), then start again',
        )
      }
    }
    await sleep(TABLE_PAUSE_MS)
  }
}
