import type { Database } from '#base/db.ts'
import type { Lane } from '#base/lane.ts'
import type { Limited } from '#flows/guard-guesses.ts'
import { countTry, takeBackTry, takeResend } from '#modules/identity/store.ts'

// What a verification allows, counted in its row before the provider is asked: a hundred at once are no more than five.
export interface CodeCount {
  // False once five codes were wrong.
  begin(id: string): Promise<boolean>
  // It was right, or nobody could say.
  takeBack(id: string): Promise<void>
  // Another text; not while the one before is on its way.
  sendAgain(id: string): Promise<{ kind: 'allowed' } | { kind: 'over' } | Limited>
}

export function createCodeCount(database: Database, lane: Lane): CodeCount {
  return {
    begin: (id) => lane('identity', () => countTry(database, id)),
    takeBack: (id) => lane('identity', () => takeBackTry(database, id)),
    async sendAgain(id) {
      const found = await lane('identity', () => takeResend(database, id))
      if (!found || found.over) return { kind: 'over' }
      return found.taken ? { kind: 'allowed' } : { kind: 'limited', retryAfterSeconds: found.waitSeconds }
    },
  }
}
