import type { Shared } from '#app/endpoints/shared.ts'
import { registerHooks } from '#edge/hooks/routes.ts'
import type { Register } from '#edge/http/types.ts'
import { createRecordReports } from '#flows/deliveries/record-reports.ts'

// Where messaging providers report.
export function hookEndpoints({ database, metrics, messaging }: Shared): Register {
  const recordReports = createRecordReports({ database, ...messaging })
  return (server) => registerHooks(server, { metrics, providers: messaging.providers, recordReports })
}
