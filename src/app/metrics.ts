import { collectProcessMetrics } from '#app/process-metrics.ts'
import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import {
  addBatchMetrics,
  addGauge,
  addHistogram,
  addPoolGauge,
  addRequestMetrics,
  addRestartCounter,
  addWriteGauge,
  createRegistry,
  type Registry,
} from '#base/metrics.ts'
import { noteSpan } from '#base/tracing.ts'
import { addAuditGauges } from '#flows/audit/metrics.ts'
import { addCloseGauges, addVerificationGauges } from '#flows/books/metrics.ts'
import { addDeliveryGauges, addDeliveryMetrics } from '#flows/deliveries/metrics.ts'
import { addGiftCardMetrics } from '#flows/gift-cards/metrics.ts'
import { addGuessGauges, addGuessMetrics } from '#flows/guesses/metrics.ts'
import { addFigureGauges } from '#flows/overview/metrics.ts'
import { addPartnerUserMetrics } from '#flows/partner-users/metrics.ts'
import { addCreditGauges } from '#flows/partners/metrics.ts'
import { addSafeguardGauges } from '#flows/reports/metrics.ts'
import { addRequestRecordMetrics } from '#flows/requests/metrics.ts'
import { addRestorationGauges } from '#flows/restoration/metrics.ts'
import { addSessionMetrics } from '#flows/sessions/metrics.ts'
import { addPriceGauges, addTradingMetrics } from '#flows/trading/metrics.ts'
import { addWithdrawalGauges, addWithdrawalMetrics } from '#flows/withdrawals/metrics.ts'

export type Metrics = ReturnType<typeof createMetrics>

// Everything that is measured. Tools that serve no requests leave the database out, and nothing is read from one.
export function createMetrics(of?: { database: Database; keys: VaultKeeper }) {
  // Summed over the processes of a service.
  const registry = createRegistry()
  collectProcessMetrics(registry)
  addRestartCounter(registry)
  // Read from the database by one process for the whole service: a sum would count it twice.
  const shared = createRegistry()
  if (of) {
    const { database, keys } = of
    addPoolGauge(registry, database.pool)
    addWriteGauge(registry, database.writes)
    addDeliveryGauges(shared, database)
    addGuessGauges(shared, database)
    addPriceGauges(shared, database)
    addWithdrawalGauges(shared, database)
    addVerificationGauges(shared, database, keys)
    addCloseGauges(shared, database)
    addCreditGauges(shared, database)
    addRestorationGauges(shared, database)
    addAuditGauges(shared, database)
    addFigureGauges(shared, database)
    addSafeguardGauges(shared, database)
  }
  return {
    registry,
    // Read by the process that is asked, for the whole service.
    shared,
    ...addRequestMetrics(registry),
    ...addRequestRecordMetrics(registry),
    ...addBatchMetrics(registry),
    ...addGiftCardMetrics(registry),
    ...addPartnerUserMetrics(registry),
    ...addSessionMetrics(registry),
    ...addGuessMetrics(registry),
    ...addTradingMetrics(registry),
    ...addWithdrawalMetrics(registry),
    ...addDeliveryMetrics(registry),
    ...addProviderMetrics(registry),
  }
}

function addProviderMetrics(registry: Registry) {
  return {
    providerSeconds: addHistogram(
      registry,
      'ingot_provider_request_seconds',
      'Time of requests to providers by what became of them',
      {
        labelNames: ['provider', 'call', 'outcome'],
        // Up to ten seconds, which is the longest that any provider is waited for.
        buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      },
    ),
    providerCircuit: addGauge(
      registry,
      'ingot_provider_circuit_open',
      '1 while a provider is not called, since it failed again and again',
      ['provider', 'channel'],
      'max',
    ),
  }
}

interface ProviderRequest {
  provider: string
  call: string
  outcome: string
  ms: number
}

// What every provider's port is handed to tell of its requests.
export function measureRequests({ providerSeconds }: Metrics) {
  return ({ provider, call, outcome, ms }: ProviderRequest) => {
    providerSeconds.observe({ provider, call, outcome }, ms / 1000)
    noteSpan(`${provider} ${call}`, { 'ingot.outcome': outcome }, ms, !outcome.startsWith('status_2'))
  }
}
