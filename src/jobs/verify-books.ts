import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import type { Log } from '#base/log.ts'
import type { Outside } from '#flows/audit/judge-anchors.ts'
import { readCheckpoint } from '#flows/books/since/checkpoint.ts'
import { isWholeDue, verifySince } from '#flows/books/since/verify-since.ts'
import { recordVerification, verifyBooks } from '#flows/books/verify-books.ts'

export interface VerifyDeps {
  database: Database
  keys: VaultKeeper
  log: Log
  // The anchors of the audit log, read anew each time.
  outside(): Outside
}

// Every night, all invariants, or on a large installation those of what is new. A broken one is an alarm: an error line that names the check, and a metric that stays until a
// run finds it mended.
export async function verifyBooksJob({ database, keys, log, outside }: VerifyDeps): Promise<void> {
  const vault = keys.vault()
  const began = performance.now()
  const { checkpoint, now } = await readCheckpoint(database, vault)
  const since = typeof checkpoint === 'string' || isWholeDue(checkpoint, now) ? undefined : checkpoint
  const results = since
    ? await verifySince(database, vault, since, { outside: outside() })
    : await verifyBooks(database, vault, { outside: outside() })
  const seconds = (performance.now() - began) / 1_000
  await recordVerification(database, results, { signer: vault, seconds, since })
  for (const { check, broken, leftOut } of results) {
    if (broken > 0) log.error('books do not balance', { job: 'verify_books', check, count: broken })
    if (leftOut) log.warn('check left to the newer release', { job: 'verify_books', check })
  }
  log.info('books verified', { job: 'verify_books', count: results.length })
}
