import type { Reader } from '#base/db/db.ts'
import { addCounter, addGauges, type Registry, startAtZero } from '#base/metrics.ts'
import { listAlarms } from '#flows/guesses/list-alarms.ts'
import { GUESS_KINDS } from '#modules/guesses/types.ts'

export type GuessMetrics = ReturnType<typeof addGuessMetrics>

export function addGuessMetrics(registry: Registry) {
  return {
    guessFailures: startAtZero(
      addCounter(
        registry,
        'ingot_guess_failures_total',
        'PINs, passwords and identities that were wrong, by kind',
        ['kind'],
      ),
      GUESS_KINDS.map((kind) => ({ kind })),
    ),
  }
}

export function addGuessGauges(registry: Registry, database: Reader): void {
  addGauges(
    registry,
    () => listAlarms(database),
    ['kind'],
    ({ kind }) => ({ kind }),
    [
      {
        name: 'ingot_guess_alarm',
        help: '1 while so many guesses fail that more trust is asked of everyone',
        figureOf: ({ alarmed }) => Number(alarmed),
      },
    ],
  )
}
