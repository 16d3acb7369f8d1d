import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { verifyBooks } from '../books.ts'
import type { Installation } from '../installation.ts'
import { startGenerator } from '../load/start.ts'
import { residentMegabytes } from '../machine.ts'
import { endOpenMessages } from '../messages.ts'
import type { Options } from '../options.ts'
import type { Goal, Outcome } from '../outcome.ts'
import { addPartners } from '../partners.ts'
import type { Target } from '../requests.ts'
import { type Measured, type Measurement, measureInTurn, ratios } from '../rounds.ts'
import { prepareTraffic } from '../traffic.ts'
import { prepareUsage } from '../usage.ts'

const WARM_STARTS = 5
const BUYERS = Array.from({ length: 16 }, (_, i) => `buys-${i + 1}`)
// Long enough for three quiet windows of five seconds (src/app/server/return-memory.ts).
const REST_MS = 25_000

// What partners ask for, against what PostgreSQL does for others; the start of the server and its memory.
export async function benchmarkRequests(
  installation: Installation,
  options: Options,
  onProgress: (text: string) => void,
): Promise<Outcome> {
  onProgress('first start')
  const firstStart = await installation.startServer()
  const connection = await installation.joinDatabase()

  onProgress('registering partners')
  const buyers = await addPartners(installation, BUYERS)
  const [few, many, users] = await addPartners(installation, ['few-cards', 'many-cards', 'has-users'])
  const target: Target = {
    port: installation.port,
    generator: startGenerator(),
    keys: buyers.map(({ key }) => key),
  }
  const meter = await installation.meter()
  const inTurn = (measurements: readonly Measurement[]) =>
    measureInTurn(measurements, options, meter, onProgress)

  onProgress('warming up')
  const partners = { buyer: buyers[0]!, users: users! }
  const traffic = await prepareTraffic(connection, target, partners, options.warmUpSeconds)
  const requests = await inTurn(traffic.measurements)
  await traffic.drop()
  const underLoad = residentMegabytes(installation.serverPid)
  onProgress('letting it rest')
  await setTimeout(REST_MS)
  const atRest = residentMegabytes(installation.serverPid)

  onProgress(`loading ${options.cards.many.toLocaleString('en-US')} cards`)
  const usage = await inTurn(
    await prepareUsage(connection, target, {
      few: { ...few!, cards: options.cards.few },
      many: { ...many!, cards: options.cards.many },
    }),
  )
  const warmStarts = await restart(installation, connection, onProgress)
  onProgress('verifying the books')
  const measured = [...requests, ...usage]
  const books = await verifyBooks(installation, measured)
  return {
    ok: books.ok,
    measured,
    goals: [
      ...traffic.goals(requests),
      usageGoal(usage),
      { what: 'memory of the API process as the load ends', values: [underLoad], unit: ' MB' },
      {
        what: 'memory of the API process after load',
        values: [atRest],
        unit: ' MB',
        target: { atMost: 150 },
      },
      { what: 'first start', values: [firstStart], unit: ' s', target: { atMost: 10 } },
      { what: 'warm start', values: warmStarts, unit: ' s', target: { atMost: 1.5 } },
    ],
    notes: [traffic.note, ...books.notes],
  }
}

function usageGoal([few, many]: readonly Measured[]): Goal {
  const values = ratios(many!, few!, 'p50')
  return { what: 'usage over a year, many cards to few', values, unit: '×', target: { atMost: 1.3 } }
}

// As `npm start` does it, PostgreSQL and the worker included, with the data of the whole run. The worker finds no message
// left: it would go on sending beside what is measured next.
async function restart(
  installation: Installation,
  connection: pg.ClientConfig,
  onProgress: (text: string) => void,
): Promise<number[]> {
  await installation.stopServer()
  await endOpenMessages(connection)
  await installation.leaveDatabase()
  const seconds: number[] = []
  for (let i = 0; i < WARM_STARTS; i += 1) {
    onProgress('stopping')
    await installation.stopServer()
    onProgress('warm start')
    seconds.push(await installation.startServer({ roles: 'api,worker' }))
  }
  return seconds
}
