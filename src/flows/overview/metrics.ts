import type { Reader } from '#base/db/db.ts'
import { addGauges, type Registry } from '#base/metrics.ts'
import { readCounting } from '#modules/figures/progress.ts'

export function addFigureGauges(registry: Registry, database: Reader): void {
  addGauges(
    registry,
    async () => [await readCounting(database)],
    [],
    () => ({}),
    [
      {
        name: 'ingot_figures_lag_seconds',
        help: 'Age of the oldest card act or message that the figures by day do not have yet',
        figureOf: ({ lagSeconds }) => lagSeconds,
      },
    ],
  )
}
