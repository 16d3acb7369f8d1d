import type { Shared } from '#app/endpoints/shared.ts'
import { createWorkQueue } from '#base/queues/work-queue.ts'
import type { ReportDeps } from '#edge/console/reports.ts'
import { exportPersonReport, exportReport } from '#flows/reports/export-report.ts'
import { readPersonReport, readReport } from '#flows/reports/read-report.ts'
import { requestFund } from '#flows/reports/record-funds.ts'

// The questions of the regulator. One at a time: some read a row for each card that expired.
export function reportDeps({ database, http }: Shared): ReportDeps {
  const deps = { database, queue: createWorkQueue({ maxInFlight: 1 }) }
  return {
    ...http,
    readReport: (name, days) => readReport(deps, name, days),
    exportReport: (command) => exportReport(deps, command),
    readPersonReport: (command) => readPersonReport(deps, command),
    exportPersonReport: (command) => exportPersonReport(deps, command),
    requestFund: (command) => requestFund(database, command),
  }
}
