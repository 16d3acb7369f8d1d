import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Reader } from '#base/db/db.ts'
import { addGauges, type Registry } from '#base/metrics.ts'
import { readDue } from '#flows/books/close/due.ts'
import { readVerification } from '#flows/books/verify-books.ts'
import { readSealingState } from '#modules/ledger/seals.ts'

// Before the first run of `verify` there is no result, only an age.
export function addVerificationGauges(registry: Registry, database: Reader, keys: VaultKeeper): void {
  const read = async () =>
    [await readVerification(database, keys.vault())].filter((last) => last !== undefined)
  addGauges(registry, read, [], () => ({}), [
    {
      name: 'ingot_verify_ok',
      help: '1 if the last run of verify found every invariant to hold',
      figureOf: ({ ok }) => (ok === null ? null : Number(ok)),
    },
    {
      name: 'ingot_verify_broken_checks',
      help: 'Invariants that the last run of verify found broken',
      figureOf: ({ ok, brokenChecks }) => (ok === null ? null : brokenChecks),
    },
    {
      name: 'ingot_verify_age_seconds',
      help: 'Time since the last run of verify, or since the installation began if there was none',
      figureOf: ({ ageSeconds }) => ageSeconds,
    },
  ])
}

export function addCloseGauges(registry: Registry, database: Reader): void {
  addGauges(
    registry,
    async () => [await readDue(database)],
    [],
    () => ({}),
    [
      {
        name: 'ingot_books_open_days',
        help: 'Days that are over and not closed',
        figureOf: ({ openDays }) => openDays,
      },
    ],
  )
  addGauges(
    registry,
    async () => [await readSealingState(database)],
    [],
    () => ({}),
    [
      {
        name: 'ingot_transfers_unsealed_seconds',
        help: 'Time since the last block of transfers was sealed, if there are newer ones; 0 if there are none',
        figureOf: ({ newestId, throughId, seconds }) => (newestId > throughId ? Math.max(seconds, 0) : 0),
      },
    ],
  )
}
