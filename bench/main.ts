import { writeFileSync } from 'node:fs'
import { NO_PGBENCH, pgbench } from './baselines/pgbench.ts'
import { stopAll } from './children.ts'
import { GivenDatabase } from './given-database.ts'
import { Installation } from './installation.ts'
import { machine } from './machine.ts'
import { BadOption, type Options, type Part, readOptions } from './options.ts'
import type { Outcome, Run } from './outcome.ts'
import { benchmarkClose } from './parts/close.ts'
import { benchmarkConsole } from './parts/console.ts'
import { benchmarkCopies } from './parts/copies.ts'
import { benchmarkDeliveries } from './parts/deliveries.ts'
import { benchmarkMembers } from './parts/members.ts'
import { benchmarkProcesses } from './parts/processes.ts'
import { profilePurchases } from './parts/profile.ts'
import { benchmarkRequests } from './parts/requests.ts'
import { benchmarkScale } from './parts/scale.ts'
import { jsonOf, printGoals, printOutcome } from './report.ts'
import { postgresVersion } from './sql.ts'

// Absolute times say little on a shared machine. So everything that is compared is measured side by side in one run: the
// service and its load beside others on the same PostgreSQL.
type Benchmark = (
  installation: Installation,
  options: Options,
  onProgress: (text: string) => void,
) => Promise<Outcome>
const BENCHMARKS: Record<Part, Benchmark> = {
  requests: benchmarkRequests,
  processes: benchmarkProcesses,
  deliveries: benchmarkDeliveries,
  members: benchmarkMembers,
  profile: profilePurchases,
  scale: benchmarkScale,
  console: benchmarkConsole,
  close: benchmarkClose,
  copies: benchmarkCopies,
}

let installation: Installation | undefined
let cleaning: Promise<void> | undefined
let interrupted = false

// Nothing is left behind: no process, no folder.
function cleanUp(): Promise<void> {
  cleaning ??= stopAll().then(() => installation?.remove())
  return cleaning
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interrupted = true
    void cleanUp()
  })
}

function givenBy({ databaseUrl }: Options): GivenDatabase | undefined {
  return databaseUrl === undefined ? undefined : new GivenDatabase(databaseUrl)
}

const showProgress = process.stderr.isTTY
  ? (text: string) => process.stderr.write(`\r\u001b[K${text}`)
  : (text: string) => process.stderr.write(`${text}\n`)

try {
  const options = readOptions(process.argv.slice(2))
  process.stdout.write(`${machine()}\n`)
  process.exitCode = 0
  const date = Temporal.Now.plainDateISO('UTC').toString()
  const run: Run = { machine: machine(), postgres: '', date, rounds: options.rounds, parts: [] }
  // Each on an installation of its own: what one leaves behind is not in the way of the next.
  for (const part of options.parts) {
    installation = new Installation(givenBy(options))
    await installation.prepare()
    process.stdout.write(`\n${part}\n`)
    const outcome = await BENCHMARKS[part](installation, options, showProgress)
    run.postgres = await postgresVersion(await installation.joinDatabase())
    process.stdout.write(`PostgreSQL ${run.postgres}\n`)
    printOutcome(outcome)
    run.parts.push({ part, ...outcome })
    if (!outcome.ok) process.exitCode = 1
    await installation.remove()
  }
  const goals = run.parts.flatMap((part) => part.goals)
  if (run.parts.length > 1) printGoals('summary', goals)
  if (pgbench() === undefined) process.stdout.write(`\n${NO_PGBENCH}\n`)
  if (options.json !== undefined) writeFileSync(options.json, jsonOf(run))
} catch (error) {
  process.exitCode = error instanceof BadOption ? 2 : 1
  if (!interrupted) process.stderr.write(`${error instanceof BadOption ? error.message : error}\n`)
} finally {
  await cleanUp()
}
if (interrupted) process.exitCode = 130
