import { join } from 'node:path'
import { stampOf } from '#app/database/migrate.ts'
import { keyRingStore } from '#app/keys/key-ring-file.ts'
import type { Config } from '#app/settings/config.ts'
import { readDue } from '#flows/books/close/due.ts'
import { readVerification } from '#flows/books/verify-books.ts'
import { readSealingState } from '#modules/ledger/seals.ts'
import { all, databaseCheck, ok, warning, wrong } from './types.ts'

interface BooksFacts {
  // False: there are no tables yet, or those of a release before.
  areThere: boolean
  // Of the last run; null before the first.
  isGood: boolean | null
  isSigned: boolean
  broken: number
  verifiedSeconds: number
  openDays: number
  lastDay: string
  // Zero: no transfer waits.
  unsealedSeconds: number
}

const NONE = {
  areThere: false,
  isGood: null,
  isSigned: true,
  broken: 0,
  verifiedSeconds: 0,
  openDays: 0,
  lastDay: '',
  unsealedSeconds: 0,
}

const NOT_VERIFIED_SECONDS = 26 * 3_600 // the worker does it every night
const NOT_SEALED_SECONDS = 3_600 // every ten minutes

const hours = (seconds: number) => `${Math.floor(seconds / 3_600)} hours`

// What the alerts say, for an installation that nothing watches.
export const books = databaseCheck<BooksFacts>({
  name: 'books',
  async read({ database }, config) {
    const [has] = await database.read<{ there: boolean }>(HAS_BOOKS, [])
    if (!has!.there) return NONE
    const last = await readVerification(database, signerOf(config))
    const { ok: isGood = null, isSigned = true, brokenChecks = 0, ageSeconds = 0 } = last ?? {}
    const { openDays, day } = await readDue(database)
    const { newestId, throughId, seconds } = await readSealingState(database)
    return {
      areThere: true,
      isGood,
      isSigned,
      broken: brokenChecks,
      verifiedSeconds: ageSeconds,
      openDays,
      lastDay: day,
      unsealedSeconds: newestId > throughId ? seconds : 0,
    }
  },
  judge({ areThere, isGood, isSigned, broken, verifiedSeconds, openDays, lastDay, unsealedSeconds }) {
    if (!areThere) return [ok('there are none yet: the first start makes them')]
    return all(
      [
        !isSigned &&
          wrong(
            'the last verify is said to have found nothing, and this key ring did not sign that',
            'Run: ingot verify. docs/runbooks/IngotBooksBroken.md says what to do.',
          ),
        isGood === false &&
          isSigned &&
          wrong(
            `the last verify found ${broken} checks broken, ${hours(verifiedSeconds)} ago`,
            'Run: ingot verify. docs/runbooks/IngotBooksBroken.md says what to do.',
          ),
        verifiedSeconds > NOT_VERIFIED_SECONDS &&
          warning(
            `nobody has verified the books for ${hours(verifiedSeconds)}`,
            'Is a worker running? Or run: ingot verify',
          ),
        openDays > 0 &&
          warning(
            `${openDays} days up to ${lastDay} are over and not closed`,
            'Is a worker running? ingot books close names the rows on which two sources differ.',
          ),
        unsealedSeconds > NOT_SEALED_SECONDS &&
          warning(
            `there are transfers that nothing has sealed for ${hours(unsealedSeconds)}`,
            'Is a worker running? docs/runbooks/IngotTransfersNotSealed.md says what to do.',
          ),
      ],
      isGood === null
        ? 'every day that is over is closed; nothing was verified yet'
        : `verified ${hours(verifiedSeconds)} ago, and every day that is over is closed`,
    )
  },
})

// Undefined: the key ring cannot be read, which is for its own check to say.
function signerOf(config: Config) {
  try {
    return stampOf(config.mode, keyRingStore(config, join(config.dataDir, 'secrets.json')).read()).signer
  } catch {
    return undefined
  }
}

const HAS_BOOKS = {
  name: 'doctor_has_books',
  text: `select to_regclass('transfer_seal') is not null as there`,
}
