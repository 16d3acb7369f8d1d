import type { Reader } from '#base/db/db.ts'
import { addGauges, type Registry } from '#base/metrics.ts'
import { readAuditFigures } from '#modules/audit/figures.ts'

export function addAuditGauges(registry: Registry, database: Reader): void {
  addGauges(
    registry,
    () => readAuditFigures(database),
    [],
    () => ({}),
    [
      {
        name: 'ingot_audit_unsealed_seconds',
        help: 'How long the oldest audit entry has waited for its place in the chain; 0 if none waits',
        figureOf: ({ unsealedSeconds }) => unsealedSeconds,
      },
      {
        name: 'ingot_audit_unanchored_seconds',
        help: 'How long the oldest sealed audit entry that no anchor covers has been in the chain; 0 if there is none',
        figureOf: ({ unanchoredSeconds }) => unanchoredSeconds,
      },
      {
        name: 'ingot_audit_chain_ok',
        help: '1 if the last look at the audit chain found it whole; none before the first',
        figureOf: ({ ok }) => (ok === null ? null : Number(ok)),
      },
    ],
  )
}
