import type { Reader } from '#base/db/db.ts'
import { addCounter, addGauges, type Registry } from '#base/metrics.ts'
import { listAlarms } from '#flows/guesses/list-alarms.ts'

export type GuessMetrics = ReturnType<typeof addGuessMetrics>

export function addGuessMetrics(registry: Registry) {
  return {
    guessFailures: addCounter(
      registry,
      'ingot_guess_failures_total',
      'PINs, passwords and identities that were wrong, by kind',
      ['kind'],
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
