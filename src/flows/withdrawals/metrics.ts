import type { Reader } from '#base/db/db.ts'
import { addCounter, addGauges, type Registry, startAtZero } from '#base/metrics.ts'
import { countOpenWithdrawals } from '#modules/withdrawals/store.ts'

export type WithdrawalMetrics = ReturnType<typeof addWithdrawalMetrics>

export function addWithdrawalMetrics(registry: Registry) {
  return {
    withdrawals: startAtZero(
      addCounter(registry, 'ingot_withdrawals_total', 'Withdrawals asked for, by outcome', ['outcome']),
      ['stopped', 'stop_too_late'].map((outcome) => ({ outcome })),
    ),
  }
}

export function addWithdrawalGauges(registry: Registry, database: Reader): void {
  addGauges(
    registry,
    () => countOpenWithdrawals(database),
    ['status'],
    ({ status }) => ({ status }),
    [
      {
        name: 'ingot_withdrawals_open',
        help: 'Withdrawals that wait for a person',
        figureOf: ({ count }) => count,
      },
      {
        name: 'ingot_withdrawal_oldest_seconds',
        help: 'How long the oldest of them waits',
        figureOf: ({ oldestSeconds }) => oldestSeconds,
      },
    ],
  )
}
