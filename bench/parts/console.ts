import { type DeskSamples, signInStaff, takeDeskSamples } from '../console/desk.ts'
import { measureExport } from '../console/exports.ts'
import { type Desk, questionsOn } from '../console/questions.ts'
import { peopleAt, scriptsAt } from '../console/visitors.ts'
import type { Meter } from '../cpu.ts'
import { Installation } from '../installation.ts'
import { startGenerator } from '../load/start.ts'
import { BadOption, type Options } from '../options.ts'
import type { Goal, Outcome } from '../outcome.ts'
import type { BenchPartner } from '../partners.ts'
import { buying } from '../requests.ts'
import { type Measured, type Measurement, measureInTurn, ratios } from '../rounds.ts'
import { startFilling } from '../scale/fill.ts'
import { settle } from '../scale/load.ts'

// What every object needs to have a page, and next to nothing else: an installation of the first day.
const FEW = { cards: 100, members: 50 }

type Tell = (text: string) => void

interface Stage {
  installation: Installation
  partner: BenchPartner
  desk: Desk
  samples: DeskSamples
}

// The console of an installation that is all but empty and of a full one. Both run at once, and each question is put to one and
// then to the other: what else the machine does meets both alike. Then purchases alone and beside a busy console.
export async function benchmarkConsole(
  installation: Installation,
  options: Options,
  tell: Tell,
): Promise<Outcome> {
  if (options.databaseUrl !== undefined)
    throw new BadOption('console measures two databases side by side, and takes no --database-url\n')
  const empty = new Installation(undefined)
  try {
    const few = await startStage(empty, FEW, tell)
    const many = await startStage(installation, options.console, tell)
    const both = await measureBoth(few, many, options, tell)
    await empty.stopServer()
    const exported = await measureExport(many.desk.port, many.desk.cookies[0]!, tell)
    const busy = await measureBusy(many, options, tell)
    return compare(both, [FEW.cards, options.console.cards], busy, exported)
  } finally {
    await empty.remove()
  }
}

async function startStage(
  installation: Installation,
  total: { cards: number; members: number },
  tell: Tell,
): Promise<Stage> {
  const codes = ['console-1', 'console-2', 'console-3']
  const { connection, partners, fillTo } = await startFilling(installation, codes, tell)
  await fillTo(total)
  const samples = await takeDeskSamples(connection, installation.vault())
  // Fresh connections have no plan of a smaller table.
  await installation.stopServer()
  await settle(connection, tell)
  await installation.startServer()
  const [partner] = partners
  const desk = {
    port: installation.port,
    cookies: await signInStaff(connection),
    partnerCode: partner!.code,
  }
  return { installation, partner: partner!, desk, samples }
}

// The other one is idle, so the sum is what the one that is asked uses.
function sumOf(meters: readonly Meter[]): Meter {
  return {
    start() {
      const started = meters.map((meter) => meter.start())
      return () => {
        const used = started.map((stop) => stop())
        const sum = (of: 'service' | 'postgres') =>
          used.reduce((total, one) => total + (one?.[of] ?? Number.NaN), 0)
        return used.includes(undefined) ? undefined : { service: sum('service'), postgres: sum('postgres') }
      }
    },
  }
}

async function measureBoth(few: Stage, many: Stage, options: Options, tell: Tell) {
  const [ofFew, ofMany] = [few, many].map(({ desk, samples }) => questionsOn(desk, samples))
  const pairs = ofFew!.flatMap((question, i) => [question, ofMany![i]!])
  const meter = sumOf([await few.installation.meter(), await many.installation.meter()])
  const measured = await measure(pairs, meter, options, tell)
  return {
    few: measured.filter((_, i) => i % 2 === 0),
    many: measured.filter((_, i) => i % 2 === 1),
  }
}

async function measure(measurements: readonly Measurement[], meter: Meter, options: Options, tell: Tell) {
  tell('warming up')
  for (const measurement of measurements) await measurement.run(0.2)
  return measureInTurn(measurements, options, meter, tell)
}

async function measureBusy(
  { installation, partner, desk, samples }: Stage,
  options: Options,
  tell: Tell,
): Promise<Measured[]> {
  const generator = startGenerator()
  const target = { port: desk.port, generator, keys: [partner.key] }
  const buy = (name: string, visitors?: { begin(): { end(): Promise<void> } }): Measurement => {
    const purchases = buying(name, target, { connections: 16 })
    return {
      name,
      async run(seconds) {
        const visit = visitors?.begin()
        const sample = await purchases.run(seconds)
        await visit?.end()
        return sample
      },
    }
  }
  const measurements = [
    buy('purchases'),
    buy('purchases beside ten people at the console', peopleAt(desk, samples)),
    buy('purchases beside two scripts at the console', scriptsAt(desk, samples)),
  ]
  const measured = await measure(measurements, await installation.meter(), options, tell)
  await generator.stop()
  return measured
}

function compare(
  { few, many }: { few: Measured[]; many: Measured[] },
  cards: readonly [few: number, many: number],
  [alone, people, scripts]: Measured[],
  exported: string[],
): Outcome {
  const named = (measured: Measured[], count: number) =>
    measured.map((one) => ({ ...one, name: `${one.name}, ${count.toLocaleString('en-US')} cards` }))
  const [ofFew, ofMany] = [named(few, cards[0]), named(many, cards[1])]
  const goals = few.map(
    (one, i): Goal => ({
      what: `${one.name}, many cards to few, p50`,
      values: ratios(many[i]!, one, 'p50'),
      unit: '×',
      // Filters cost what they find; the others must not grow.
      ...(one.name.startsWith('filtered') ? {} : { target: { atMost: 3 } }),
    }),
  )
  const purchases: Goal[] = [
    {
      what: 'purchases beside ten people at the console to alone',
      values: ratios(people!, alone!, 'perSecond'),
      unit: '×',
      target: { atLeast: 0.9 },
    },
    {
      what: 'purchases beside two scripts at the console to alone',
      values: ratios(scripts!, alone!, 'perSecond'),
      unit: '×',
    },
  ]
  const measured = [...few.flatMap((_, i) => [ofFew[i]!, ofMany[i]!]), alone!, people!, scripts!]
  return {
    ok: measured.every(({ samples }) => samples.every(({ errors }) => errors === 0)),
    measured,
    goals: [...goals, ...purchases],
    notes: [
      'Two installations at once, one all but empty and one full. One person asks, one request after the other, each question in turn.',
      'Ten people: each opens something every second on average, a list with its figure, and has the overview open. Two scripts: the same without a pause.',
      ...exported,
    ],
  }
}
