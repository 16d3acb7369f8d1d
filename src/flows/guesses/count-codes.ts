import { hashesOfTokens } from '#base/crypto/token.ts'
import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import type { Guard, Limited } from '#flows/guesses/guard-guesses.ts'
import type { CountedOnce } from '#modules/guesses/types.ts'
import { countTry, keepCounted, takeBackTry, takeCounted, takeResend } from '#modules/identity/store.ts'
import { searchHashes } from '#modules/members/search.ts'
import { isTrustedByNumber } from '#modules/sessions/devices.ts'

// The limits of a verification, counted in its row before the provider is called: a hundred calls at once make no
// more than five tries.
export interface CodeCount {
  // False once five codes were wrong.
  begin(id: string): Promise<boolean>
  // The code was right, or the outcome is unknown.
  takeBack(id: string): Promise<void>
  // The number is that of an account which trusts one of these devices.
  isTrusted(mdn: string, devices: readonly string[]): Promise<boolean>
  // A text was sent and counted as if its code were never typed.
  texted(id: string, counted: readonly CountedOnce[]): Promise<void>
  // The code was right: its texts were no failures. Cut off in between, they stay counted.
  proven(id: string): Promise<void>
  // Another text; not while the one before is on its way.
  sendAgain(id: string): Promise<{ kind: 'allowed' } | { kind: 'over' } | Limited>
}

interface Deps {
  database: Database
  keys: VaultKeeper
  queue: WorkQueue
  guard: Pick<Guard, 'takeBack'>
}

export function createCodeCount({ database, keys, queue, guard }: Deps): CodeCount {
  return {
    begin: (id) => queue('identity', () => countTry(database, id)),
    takeBack: (id) => queue('identity', () => takeBackTry(database, id)),
    async isTrusted(mdn, devices) {
      const hashes = hashesOfTokens(devices)
      if (hashes.length === 0) return false
      const numbers = searchHashes(keys.vault(), 'phone', mdn)
      return queue('identity', () => isTrustedByNumber(database, numbers, hashes))
    },
    texted: (id, counted) =>
      // The day's count of the number stays.
      queue('identity', () =>
        keepCounted(
          database,
          id,
          counted.filter(({ scope }) => scope !== 'texts'),
        ),
      ),
    async proven(id) {
      await guard.takeBack('identity', await queue('identity', () => takeCounted<CountedOnce>(database, id)))
    },
    async sendAgain(id) {
      const found = await queue('identity', () => takeResend(database, id))
      if (!found || found.over) return { kind: 'over' }
      return found.taken ? { kind: 'allowed' } : { kind: 'limited', retryAfterSeconds: found.waitSeconds }
    },
  }
}
