import { type Database, openDatabase } from '#base/db/db.ts'
import { createLog } from '#base/log.ts'
import { maintainCards } from '#jobs/maintain-cards.ts'
import { type Books, verifyBooks } from '../books.ts'
import type { Meter } from '../cpu.ts'
import type { Installation } from '../installation.ts'
import { type Generator, startGenerator } from '../load/start.ts'
import type { Options } from '../options.ts'
import type { Outcome } from '../outcome.ts'
import { comparePairs, measureInPairs } from '../pairs.ts'
import type { Measured } from '../rounds.ts'
import { startFilling } from '../scale/fill.ts'
import { settle, settleMessages } from '../scale/load.ts'
import { type Samples, takeSamples } from '../scale/samples.ts'
import { searchesOn } from '../scale/searches.ts'
import { describeSizes, readScans, readSizes, type Sizes } from '../scale/sizes.ts'
import { type ScaleTarget, stockCards, trafficOn } from '../scale/traffic.ts'

const FEW = { cards: 10_000, members: 4_000 }
const WARM_UP_SECONDS = 1
const MOST_PER_SECOND = 4_000 // of redemptions and orders

type Tell = (text: string) => void
type Maintained = { cards: number; seconds: number }

// An installation with so many cards …
interface Filled {
  cards: number
  installation: Installation
  target: ScaleTarget
  redeemable: number
  sizes: Sizes
}

// … that is ready to be asked.
interface Stage extends Filled {
  samples: Samples
  database: Database
  meter: Meter
  scansBefore: Map<string, number>
  maintained: Maintained
}

interface Checked {
  scanned: string[]
  books: Books
}

// The same with few cards and with many. Both installations run at once and are asked in turn: what grows with the number of
// cards shows as a ratio.
export async function benchmarkScale(
  installation: Installation,
  options: Options,
  tell: Tell,
): Promise<Outcome> {
  const generator = startGenerator()
  const work = { ...options, generator }
  const filled = [
    await fill(await installation.second(), FEW, work, tell),
    await fill(installation, options.scale, work, tell),
  ]
  // Sessions end after half an hour, and filling may take longer. So members sign in when both are filled.
  const [few, many] = [await open(filled[0]!, tell), await open(filled[1]!, tell)]
  const both = await measureBoth(few, many, options, tell)
  await generator.stop()
  const checked = [await check(few, both.few, tell), await check(many, both.many, tell)] as const
  return compare([few, many], both, checked)
}

async function fill(
  installation: Installation,
  total: { cards: number; members: number },
  { rounds, roundSeconds, generator }: Options & { generator: Generator },
  tell: Tell,
): Promise<Filled> {
  const codes = ['scale-1', 'scale-2', 'scale-3']
  const { connection, partners, fillTo } = await startFilling(installation, codes, tell)
  await fillTo(total)
  await settle(connection, tell)
  const sizes = await readSizes(connection)
  const target: ScaleTarget = { connection, port: installation.port, generator, partner: partners[0]! }
  const redeemable = MOST_PER_SECOND * (WARM_UP_SECONDS + rounds * roundSeconds)
  tell('buying cards to redeem')
  await stockCards(target, redeemable)
  return { cards: total.cards, installation, target, redeemable, sizes }
}

async function open(filled: Filled, tell: Tell): Promise<Stage> {
  const { installation, target, redeemable } = filled
  const { connection, partner } = target
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
  return { ...filled, samples, database, meter: await installation.meter(), scansBefore, maintained }
}

async function measureBoth(few: Stage, many: Stage, options: Options, tell: Tell) {
  const pass = { warmUpSeconds: WARM_UP_SECONDS, tell }
  const requestsOf = async ({ meter, target, samples }: Stage) => ({
    meter,
    measurements: await trafficOn(target, samples),
  })
  const searchesOf = ({ meter, database }: Stage) => ({ meter, measurements: searchesOn(database) })
  const requests = await measureInPairs(await requestsOf(few), await requestsOf(many), options, pass)
  for (const { target } of [few, many]) await settleMessages(target.connection)
  const searches = await measureInPairs(searchesOf(few), searchesOf(many), options, pass)
  return {
    few: [...requests.few, ...searches.few],
    many: [...requests.many, ...searches.many],
  }
}

async function check(
  { installation, target, database, scansBefore }: Stage,
  measured: readonly Measured[],
  tell: Tell,
): Promise<Checked> {
  await database.close()
  await installation.stopServer()
  const scanned = difference(scansBefore, await readScans(target.connection))
  await installation.startServer()
  tell('verifying the books')
  return { scanned, books: await verifyBooks(installation, measured) }
}

// The cards of one day: those that end, and those whose recipients are reminded.
async function maintain(
  database: ReturnType<typeof openDatabase>,
  tell: (text: string) => void,
): Promise<Maintained> {
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

function compare(
  stages: readonly [few: Stage, many: Stage],
  both: { few: Measured[]; many: Measured[] },
  checked: readonly [few: Checked, many: Checked],
): Outcome {
  const [few, many] = stages
  const pairs = comparePairs(both, { few: few.cards, many: many.cards }, () => ({ atMost: 1.2 }))
  const stageNotes = stages.map(({ cards, maintained }, i) => {
    const { scanned, books } = checked[i]!
    return (
      `${cards.toLocaleString('en-US')} cards: ${books.notes.join('; ')}; ${maintained.cards} cards expired or reminded of in ` +
      `${maintained.seconds.toFixed(2)} s; large tables read whole: ${scanned.join(', ') || 'none'}`
    )
  })
  return {
    ok: checked.every(({ books, scanned }) => books.ok && scanned.length === 0),
    ...pairs,
    notes: [
      'Two installations at once, one with few cards and one with many, asked in turn. 16 connections for partners, 64 for members; searches and jobs one after the other.',
      ...stageNotes,
      ...describeSizes(few.sizes, many.sizes),
    ],
  }
}
