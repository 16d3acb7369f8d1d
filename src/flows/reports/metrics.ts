import type { Reader } from '#base/db/db.ts'
import { addGauges, type Registry } from '#base/metrics.ts'
import { LAST_GAP } from '#flows/reports/safeguarding.ts'

interface Gap {
  required: bigint
  held: bigint
}

// Of the last closed day. Before the first close there is nothing to safeguard.
export function addSafeguardGauges(registry: Registry, database: Reader): void {
  addGauges(
    registry,
    () => database.read<Gap>(LAST_GAP, []),
    [],
    () => ({}),
    [
      {
        name: 'ingot_prepaid_outstanding_won',
        help: 'Cards not used, expired cards that can be refunded and unspent points at the end of the last closed day',
        figureOf: ({ required }) => Number(required),
      },
      {
        name: 'ingot_safeguard_gap_won',
        help: 'Won that lack behind the outstanding balance of the last closed day; negative if more is safeguarded',
        figureOf: ({ required, held }) => Number(required - held),
      },
    ],
  )
}
