import type { Database } from '#base/db.ts'
import type { Log } from '#base/log.ts'
import { verifyBooks } from '#flows/verify-books.ts'

// Every night, all invariants. A broken one is an alarm: an error line that names the check.
export async function verifyBooksJob({ database, log }: { database: Database; log: Log }): Promise<void> {
  const results = await verifyBooks(database)
  for (const { check, broken } of results) {
    if (broken > 0) log.error('books do not balance', { job: 'verify_books', check, count: broken })
  }
  log.info('books verified', { job: 'verify_books', count: results.length })
}
