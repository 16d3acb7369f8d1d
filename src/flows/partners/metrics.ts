import type { Reader } from '#base/db/db.ts'
import { addGauges, type Registry } from '#base/metrics.ts'
import { percentUsed, readCreditUse } from '#modules/partners/credit.ts'

export function addCreditGauges(registry: Registry, database: Reader): void {
  addGauges(
    registry,
    () => readCreditUse(database),
    ['partner'],
    ({ partner }) => ({ partner }),
    [
      {
        name: 'ingot_partner_credit_used_percent',
        help: 'What a partner owes for cards, in percent of its credit limit',
        figureOf: percentUsed,
      },
    ],
  )
}
