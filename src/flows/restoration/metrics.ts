import type { Reader } from '#base/db/db.ts'
import { addGauges, type Registry } from '#base/metrics.ts'
import { readRestorationFigures } from '#modules/restorations/listings.ts'

// A database that was never restored has none of these.
export function addRestorationGauges(registry: Registry, database: Reader): void {
  addGauges(
    registry,
    () => readRestorationFigures(database),
    [],
    () => ({}),
    [
      {
        name: 'ingot_restoration_count',
        help: 'Restores to an earlier time that this database went through',
        figureOf: ({ restorations }) => restorations,
      },
      {
        name: 'ingot_restoration_messages_held',
        help: 'Restores after which messages from before still wait for what the providers say',
        figureOf: ({ held }) => held,
      },
      {
        name: 'ingot_restoration_unverified',
        help: 'Restores after which the invariants were not found to hold yet',
        figureOf: ({ unverified }) => unverified,
      },
      {
        name: 'ingot_restoration_providers_silent',
        help: 'Providers whose list could not be read the last time',
        figureOf: ({ troubled }) => troubled,
      },
      {
        name: 'ingot_restoration_lost_attempts',
        help: 'Attempts at messages that providers know and this database does not',
        figureOf: ({ lost }) => lost,
      },
    ],
  )
}
