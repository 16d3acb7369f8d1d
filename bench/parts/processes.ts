import { availableParallelism } from 'node:os'
import type pg from 'pg'
import { verifyBooks } from '../books.ts'
import { type Meter, UNMETERED } from '../cpu.ts'
import type { Installation, Serving } from '../installation.ts'
import { startGenerator } from '../load/start.ts'
import { endOpenMessages, watchOldestQueued } from '../messages.ts'
import type { Options } from '../options.ts'
import type { Goal, Outcome } from '../outcome.ts'
import { addPartners } from '../partners.ts'
import { buying, type Target } from '../requests.ts'
import { type Measured, type Measurement, measureInTurn, ratios, runMetered, typical } from '../rounds.ts'

const CONNECTIONS = 64
const RATE = 1_000
const AT_RATE_ROUNDS = 2.5 // long enough for a queue to grow, if it does
const CORES = availableParallelism()
const BUYERS = Array.from({ length: 16 }, (_, i) => `buys-${i + 1}`)

const NOTE = `Every row has a server of its own, started anew in every round; messages that are open are ended before it.
CPU time is of all its processes: with the worker, its work on messages is in it. The load and PostgreSQL run on the same
${CORES} cores. The row at ${RATE} a second is an open loop: a request's time counts from when it was due.`

const API: Serving = { roles: 'api', settings: { INGOT_PROCESSES: '1' } }
const NPM_START: Serving = { roles: 'api,worker' }

// Purchases by how the service is laid out over processes, and how long messages wait beside them.
export async function benchmarkProcesses(
  installation: Installation,
  options: Options,
  onProgress: (text: string) => void,
): Promise<Outcome> {
  onProgress('first start')
  await installation.startServer()
  const connection = await installation.joinDatabase()
  onProgress('registering partners')
  const buyers = await addPartners(installation, BUYERS)
  const generator = startGenerator()
  const bench: Bench = {
    installation,
    connection,
    target: { port: installation.port, generator, keys: buyers.map(({ key }) => key) },
    meter: await installation.meter(),
    warmUpSeconds: options.warmUpSeconds,
  }
  const with2: Serving = { roles: 'api', settings: { INGOT_PROCESSES: '2' } }
  const withAuto: Serving = { roles: 'api', settings: { INGOT_PROCESSES: 'auto' } }
  const oldest: number[] = []
  const measured = await measureInTurn(
    [
      inLayout(bench, 'purchases, role api, 1 process', API),
      inLayout(bench, 'purchases, role api, 2 processes', with2),
      inLayout(bench, `purchases, role api, 2 processes, ${BUYERS.length} partners`, with2, BUYERS.length),
      inLayout(bench, `purchases, role api, auto (${CORES} cores)`, withAuto),
      inLayout(bench, 'purchases, as npm start: worker beside', NPM_START),
      atRate(bench, oldest),
    ],
    options,
    UNMETERED, // each meters itself, without its start
    onProgress,
  )
  await generator.stop()
  onProgress('verifying the books')
  const books = await verifyBooks(installation, measured)
  const [one, two, ofMany, auto, beside, paced] = measured as Six<Measured>
  const to = (what: string, a: Measured): Goal => ({ what, values: ratios(a, one, 'perSecond'), unit: '×' })
  return {
    ok: books.ok,
    measured,
    goals: [
      { ...to('purchases with the worker beside to without', beside), target: { atLeast: 0.7 } },
      {
        what: `oldest queued message at ${reached(paced)} purchases/s`,
        values: oldest,
        unit: ' s',
        target: { atMost: 10 },
      },
      to('purchases with 2 processes to 1', two),
      to(`purchases of ${BUYERS.length} partners with 2 processes to one’s with 1`, ofMany),
      to(`purchases with auto (${CORES} cores) to 1 process`, auto),
    ],
    notes: [NOTE, ...books.notes],
  }
}

// A slower machine says what it was measured at.
function reached(paced: Measured): string {
  const perSecond = Math.round(typical(paced, 'perSecond'))
  return (perSecond > 0.95 * RATE ? RATE : perSecond).toLocaleString('en-US')
}

type Six<T> = [T, T, T, T, T, T]

interface Bench {
  installation: Installation
  connection: pg.ClientConfig
  target: Target
  meter: Meter
  warmUpSeconds: number
}

function inLayout(
  { installation, connection, target, meter, warmUpSeconds }: Bench,
  name: string,
  serving: Serving,
  partners = 1,
): Measurement {
  const buy = buying(name, target, { connections: CONNECTIONS, partners })
  return {
    name,
    async run(seconds) {
      await restart(installation, connection, serving)
      await buy.run(warmUpSeconds)
      return runMetered(buy, seconds, meter)
    },
  }
}

function atRate(
  { installation, connection, target, meter, warmUpSeconds }: Bench,
  oldest: number[],
): Measurement {
  const name = `purchases at ${RATE.toLocaleString('en-US')}/s, as npm start`
  const buy = buying(name, target, { connections: CONNECTIONS, rate: RATE })
  return {
    name,
    async run(seconds) {
      await restart(installation, connection, NPM_START)
      await buy.run(warmUpSeconds)
      const watch = watchOldestQueued(connection)
      const sample = await runMetered(buy, AT_RATE_ROUNDS * seconds, meter)
      oldest.push(await watch.end())
      return sample
    },
  }
}

async function restart(
  installation: Installation,
  connection: pg.ClientConfig,
  serving: Serving,
): Promise<void> {
  await installation.stopServer()
  await endOpenMessages(connection)
  await installation.startServer(serving)
}
