import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import type { Log } from '#base/log.ts'
import type { Outside } from '#flows/audit/judge-anchors.ts'
import { recordVerification, verifyBooks } from '#flows/books/verify-books.ts'

export interface VerifyDeps {
  database: Database
  keys: VaultKeeper
  log: Log
  // The anchors of the audit log, read anew each time.
  outside(): Outside
}

// Every night, all invariants. A broken one is an alarm: an error line that names the check, and a metric that stays until a
// run finds it mended.
export async function verifyBooksJob({ database, keys, log, outside }: VerifyDeps): Promise<void> {
  const results = await verifyBooks(database, keys.vault(), { outside: outside() })
  await recordVerification(database, results)
  for (const { check, broken, leftOut } of results) {
    if (broken > 0) log.error('books do not balance', { job: 'verify_books', check, count: broken })
    if (leftOut) log.warn('check left to the newer release', { job: 'verify_books', check })
  }
  log.info('books verified', { job: 'verify_books', count: results.length })
}
