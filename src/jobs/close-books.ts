import type { Database } from '#base/db/db.ts'
import type { Log } from '#base/log.ts'
import { closeAndNote } from '#flows/books/close/close-and-note.ts'
import { readDue } from '#flows/books/close/due.ts'

// Every minute, and after a sandbox's clock was moved: closes the days that are over on the service's clock, in order. A day whose
// sources differ stays open, with an error line for each row and a metric (ingot_books_open_days).
export async function closeBooks({ database, log }: { database: Database; log: Log }): Promise<void> {
  const { day, openDays } = await readDue(database)
  if (openDays === 0) return
  const outcome = await closeAndNote(database, { day, actor: 'worker' })
  if (outcome.kind === 'refused') {
    // Another worker is at it: that one tells.
    if (outcome.reason !== 'closing_runs')
      log.warn('books not closed', { job: 'close_books', reason: outcome.reason })
    return
  }
  const { closed, open } = outcome
  if (closed.length > 0) log.info('books closed', { job: 'close_books', count: closed.length })
  for (const { row, id } of open?.differences ?? [])
    log.error('day not closed', { job: 'close_books', reason: `${open!.day} ${row} ${id}` })
}
