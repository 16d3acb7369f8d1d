import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Reader } from '#base/db/db.ts'
import { accountSubject } from '#flows/guesses/guard-guesses.ts'
import { hoursOf, limitOf } from '#modules/guesses/rules.ts'
import { createReadGuesses } from '#modules/guesses/store.ts'
import type { GuessKind } from '#modules/guesses/types.ts'

interface GuessesOf {
  kind: GuessKind
  failures: number
  limit: number
  // The window in which they count.
  hours: number
}

export type ListGuessesOf = (account: {
  accountId: string | null
  loginId: string | null
}) => Promise<GuessesOf[]>

// Failed tries that still count against one member: PINs and bank accounts by the account, passwords by the login id.
export function createListGuessesOf({
  database,
  keys,
}: {
  database: Reader
  keys: VaultKeeper
}): ListGuessesOf {
  const read = createReadGuesses(database)
  return async ({ accountId, loginId }) => {
    const asked: (readonly [GuessKind, string | null])[] = [
      ['login', loginId],
      ['pin', accountId],
      ['payout_account', accountId],
    ]
    const found = await Promise.all(
      asked.map(async ([kind, account]) => {
        if (account === null) return []
        const { counted } = await read(kind, [accountSubject({ keys }, kind, account)])
        const failures = counted.reduce((sum, one) => sum + one.failures, 0)
        return [{ kind, failures, limit: limitOf(kind, 'account'), hours: hoursOf(kind, 'account') }]
      }),
    )
    return found.flat().filter(({ failures }) => failures > 0)
  }
}
