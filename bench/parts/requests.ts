import { summarise, verifyBooks } from '../books.ts'
import { startHelper } from '../children.ts'
import type { Installation } from '../installation.ts'
import type { Job, Load } from '../load/run.ts'
import { residentMegabytes } from '../machine.ts'
import type { Options } from '../options.ts'
import { addPartners } from '../partners.ts'
import { type Goal, printGoals, printMeasured } from '../report.ts'
import type { Target } from '../requests.ts'
import { type Measured, measureInTurn, median, ratio } from '../rounds.ts'
import { postgresVersion } from '../sql.ts'
import { prepareTraffic } from '../traffic.ts'
import { prepareUsage } from '../usage.ts'

const WARM_STARTS = 3

// True if every request was answered and the books balance. Whether targets are met is only printed: a
// benchmark on a busy machine is no test.
export async function benchmarkRequests(
  installation: Installation,
  options: Options,
  onProgress: (text: string) => void,
): Promise<boolean> {
  onProgress('first start')
  const firstStart = await installation.startServer()
  const connection = await installation.joinDatabase()
  process.stdout.write(`PostgreSQL ${await postgresVersion(connection)}\n`)

  onProgress('registering partners')
  const buyers = await addPartners(installation, ['buys-1', 'buys-2', 'buys-3', 'buys-4', 'buys-5'])
  const [few, many, users] = await addPartners(installation, ['few-cards', 'many-cards', 'has-users'])
  const target: Target = {
    port: installation.port,
    generator: startHelper<Job, Load>(new URL('../load/generator.ts', import.meta.url)),
    keys: buyers.map(({ key }) => key),
  }
  const inTurn = (measurements: Parameters<typeof measureInTurn>[0]) =>
    measureInTurn(measurements, options.rounds, options.roundSeconds, onProgress)

  onProgress('warming up')
  const traffic = await prepareTraffic(connection, target, { buyer: buyers[0]!, users: users! })
  const requests = await inTurn(traffic.measurements)
  const memory = residentMegabytes(installation.serverPid)

  onProgress(`loading ${options.cards.many.toLocaleString('en-US')} cards`)
  const usage = await inTurn(
    await prepareUsage(connection, target, {
      few: { ...few!, cards: options.cards.few },
      many: { ...many!, cards: options.cards.many },
    }),
  )
  const warmStart = await restart(installation, onProgress)
  onProgress('verifying the books')
  const books = await verifyBooks(installation)

  printMeasured('', [...requests, ...usage])
  process.stdout.write(`\n${traffic.note}\n`)
  printGoals([
    ...traffic.goals(requests),
    usageGoal(usage),
    { what: "the server's memory after the requests", value: memory, unit: ' MB', target: { atMost: 200 } },
    { what: 'first start', value: firstStart, unit: ' s', target: { atMost: 10 } },
    { what: 'warm start', value: warmStart, unit: ' s', target: { atMost: 2 } },
  ])
  return summarise([...requests, ...usage], books)
}

function usageGoal([few, many]: readonly Measured[]): Goal {
  const value = ratio(many!, few!, 'p50')
  return { what: 'usage over a year, many cards to few', value, unit: '×', target: { atMost: 1.3 } }
}

// With the data of the whole run, PostgreSQL included.
async function restart(installation: Installation, onProgress: (text: string) => void): Promise<number> {
  await installation.leaveDatabase()
  const seconds: number[] = []
  for (let i = 0; i < WARM_STARTS; i += 1) {
    onProgress('stopping')
    await installation.stopServer()
    onProgress('warm start')
    seconds.push(await installation.startServer())
  }
  return median(seconds)
}
