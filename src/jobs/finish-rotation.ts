import type { KeyRingStore } from '#base/crypto/key-ring.ts'
import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import type { Log } from '#base/log.ts'
import { type RotateRefusal, resumeRotation } from '#flows/installation/rotate-keys.ts'

// Continues a rotation whose process was killed. One that still runs is left to its process.
export async function finishRotation(deps: {
  database: Database
  keys: VaultKeeper
  keyRing: KeyRingStore
  log: Log
  schemaVersion: number
  // The sentence that names the keys: nobody runs a command when a worker refuses.
  explain(refusal: RotateRefusal): string
}): Promise<void> {
  const { database, keys, keyRing: ring, log, schemaVersion, explain } = deps
  const rotating = { database, keys, ring, schemaVersion, actor: 'worker', onProgress: () => {} }
  const outcome = await resumeRotation(rotating)
  if (outcome.kind === 'done') log.info('key rotation finished', { job: 'finish_rotation' })
  if (outcome.kind === 'refused')
    log.warn('key rotation not resumed', { job: 'finish_rotation', reason: explain(outcome) })
}
