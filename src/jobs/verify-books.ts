import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import type { Log } from '#base/log.ts'
import { recordVerification, verifyBooks } from '#flows/books/verify-books.ts'

interface VerifyDeps {
  database: Database
  keys: VaultKeeper
  log: Log
}

// Every night, all invariants. A broken one is an alarm: an error line that names the check, and a metric that stays until a
// run finds it mended.
export async function verifyBooksJob({ database, keys, log }: VerifyDeps): Promise<void> {
  const results = await verifyBooks(database, keys.vault())
  await recordVerification(database, results)
  for (const { check, broken, leftOut } of results) {
    if (broken > 0) log.error('books do not balance', { job: 'verify_books', check, count: broken })
    if (leftOut) log.warn('check left to the newer release', { job: 'verify_books', check })
  }
  log.info('books verified', { job: 'verify_books', count: results.length })
}
