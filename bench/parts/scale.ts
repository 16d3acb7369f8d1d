import { openDatabase } from '#base/db/db.ts'
import { createLog } from '#base/log.ts'
import { maintainCards } from '#jobs/maintain-cards.ts'
import { type Books, verifyBooks } from '../books.ts'
import type { Installation } from '../installation.ts'
import { startGenerator } from '../load/start.ts'
import type { Options } from '../options.ts'
import type { Goal, Outcome } from '../outcome.ts'
import type { BenchPartner } from '../partners.ts'
import { type Measured, type Measurement, measureInTurn, ratios } from '../rounds.ts'
import { startFilling } from '../scale/fill.ts'
import { settle, settleMessages } from '../scale/load.ts'
import { takeSamples } from '../scale/samples.ts'
import { searchesOn } from '../scale/searches.ts'
import { describeSizes, readScans, readSizes, type Sizes } from '../scale/sizes.ts'
import { type ScaleTarget, stockCards, trafficOn } from '../scale/traffic.ts'

const FEW = { cards: 10_000, members: 4_000 }
const WARM_UP_SECONDS = 1
const MOST_PER_SECOND = 4_000 // of redemptions and orders

interface Stage {
  cards: number
  measured: Measured[]
  sizes: Sizes
  maintained: { cards: number; seconds: number }
  scanned: string[]
  books: Books
}

// The same with few cards and with many, in one run on one database: what grows with the number of cards shows as a ratio.
export async function benchmarkScale(
  installation: Installation,
  options: Options,
  tell: (text: string) => void,
): Promise<Outcome> {
  const codes = ['scale-1', 'scale-2', 'scale-3']
  const { connection, partners, fillTo } = await startFilling(installation, codes, tell)
  const stages: Stage[] = []
  for (const total of [FEW, options.scale]) {
    await fillTo(total)
    await settle(connection, tell)
    stages.push(await measureStage(installation, partners[0]!, { ...options, total: total.cards }, tell))
  }
  return compare(stages as [Stage, Stage])
}

async function measureStage(
  installation: Installation,
  partner: BenchPartner,
  options: Options & { total: number },
  tell: (text: string) => void,
): Promise<Stage> {
  const connection = await installation.joinDatabase()
  const sizes = await readSizes(connection)
  const generator = startGenerator()
  const target: ScaleTarget = { connection, port: installation.port, generator, partner }
  const redeemable = MOST_PER_SECOND * (WARM_UP_SECONDS + options.rounds * options.roundSeconds)
  tell('buying cards to redeem')
  await stockCards(target, redeemable)
  tell('taking samples')
  const samples = await takeSamples(connection, installation.vault(), {
    partnerCode: partner.code,
    redeemable,
  })
  // Fresh connections: no plan of a smaller table, and no count of what was read before.
  await installation.stopServer()
  await settle(connection, tell)
  const scansBefore = await readScans(connection)
  await installation.startServer()
  const database = openDatabase({ connection, maxConnections: 2, onIdleError: () => {} })
  const maintained = await maintain(database, tell)
  const meter = await installation.meter()
  const measure = async (measurements: readonly Measurement[]) => {
    tell('warming up')
    for (const measurement of measurements) await measurement.run(WARM_UP_SECONDS)
    return measureInTurn(measurements, options, meter, tell)
  }
  const requests = await measure(await trafficOn(target, samples))
  await settleMessages(connection)
  const measured = [...requests, ...(await measure(searchesOn(database)))]
  await generator.stop()
  await database.close()
  await installation.stopServer()
  const scanned = difference(scansBefore, await readScans(connection))
  await installation.startServer()
  tell('verifying the books')
  const books = await verifyBooks(installation, measured)
  return { cards: options.total, measured, sizes, maintained, scanned, books }
}

// The cards of one day: those that end, and those whose recipients are reminded.
async function maintain(
  database: ReturnType<typeof openDatabase>,
  tell: (text: string) => void,
): Promise<Stage['maintained']> {
  tell('expiring and reminding')
  const began = performance.now()
  let cards = 0
  const write = (line: string) => {
    cards += JSON.parse(line).count ?? 0
  }
  await maintainCards({ database, log: createLog('info', { write }) })
  return { cards, seconds: (performance.now() - began) / 1000 }
}

function difference(before: Map<string, number>, after: Map<string, number>): string[] {
  return [...after].filter(([name, scans]) => scans > (before.get(name) ?? 0)).map(([name]) => name)
}

function compare([few, many]: [Stage, Stage]): Outcome {
  const named = ({ cards, measured }: Stage) =>
    measured.map((one) => ({ ...one, name: `${one.name}, ${cards.toLocaleString('en-US')} cards` }))
  const measured = few.measured.flatMap((_, i) => [named(few)[i]!, named(many)[i]!])
  const goals = few.measured.map(
    (one, i): Goal => ({
      what: `${one.name}, many cards to few, p50`,
      values: ratios(many.measured[i]!, one, 'p50'),
      unit: '×',
      target: { atMost: 1.2 },
    }),
  )
  const stageNotes = [few, many].map(
    ({ cards, maintained, scanned, books }) =>
      `${cards.toLocaleString('en-US')} cards: ${books.notes.join('; ')}; ${maintained.cards} cards expired or reminded of in ` +
      `${maintained.seconds.toFixed(2)} s; large tables read whole: ${scanned.join(', ') || 'none'}`,
  )
  return {
    ok: few.books.ok && many.books.ok && few.scanned.length + many.scanned.length === 0,
    measured,
    goals,
    notes: [
      'One database, first with few cards and then with many. 16 connections for partners, 64 for members; searches and jobs one after the other.',
      ...stageNotes,
      ...describeSizes(few.sizes, many.sizes),
    ],
  }
}
