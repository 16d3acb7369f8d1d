import { type DeskSamples, signInStaff, takeDeskSamples } from '../console/desk.ts'
import { measureExport } from '../console/exports.ts'
import { type Desk, questionsOn } from '../console/questions.ts'
import { peopleAt, scriptsAt } from '../console/visitors.ts'
import type { Meter } from '../cpu.ts'
import type { Installation } from '../installation.ts'
import { startGenerator } from '../load/start.ts'
import type { Options } from '../options.ts'
import type { Goal, Outcome } from '../outcome.ts'
import { comparePairs, measureInPairs } from '../pairs.ts'
import type { BenchPartner } from '../partners.ts'
import { buying } from '../requests.ts'
import { type Measured, type Measurement, measureInTurn, ratios } from '../rounds.ts'
import { startFilling } from '../scale/fill.ts'
import { settle } from '../scale/load.ts'

// What every object needs to have a page, and next to nothing else: an installation of the first day.
const FEW = { cards: 100, members: 50 }
const WARM_UP_SECONDS = 0.2

type Tell = (text: string) => void

interface Stage {
  installation: Installation
  partner: BenchPartner
  desk: Desk
  samples: DeskSamples
}

// The console of an installation that is all but empty and of a full one. Both run at once. Then purchases alone and beside a busy console.
export async function benchmarkConsole(
  installation: Installation,
  options: Options,
  tell: Tell,
): Promise<Outcome> {
  const empty = await installation.second()
  const few = await startStage(empty, FEW, tell)
  const many = await startStage(installation, options.console, tell)
  const both = await measureBoth(few, many, options, tell)
  await empty.stopServer()
  const exported = await measureExport(many.desk.port, many.desk.cookies[0]!, tell)
  const busy = await measureBusy(many, options, tell)
  return compare(both, { few: FEW.cards, many: options.console.cards }, busy, exported)
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

async function measureBoth(few: Stage, many: Stage, options: Options, tell: Tell) {
  const [ofFew, ofMany] = await Promise.all(
    [few, many].map(async ({ installation, desk, samples }) => ({
      meter: await installation.meter(),
      measurements: questionsOn(desk, samples),
    })),
  )
  return measureInPairs(ofFew!, ofMany!, options, { warmUpSeconds: WARM_UP_SECONDS, tell })
}

async function measure(measurements: readonly Measurement[], meter: Meter, options: Options, tell: Tell) {
  tell('warming up')
  for (const measurement of measurements) await measurement.run(WARM_UP_SECONDS)
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
  both: { few: Measured[]; many: Measured[] },
  cards: { few: number; many: number },
  [alone, people, scripts]: Measured[],
  exported: string[],
): Outcome {
  // Filters cost what they find; the others must not grow.
  const pairs = comparePairs(both, cards, (name) => (name.startsWith('filtered') ? undefined : { atMost: 3 }))
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
  const measured = [...pairs.measured, alone!, people!, scripts!]
  return {
    ok: measured.every(({ samples }) => samples.every(({ errors }) => errors === 0)),
    measured,
    goals: [...pairs.goals, ...purchases],
    notes: [
      'Two installations at once, one all but empty and one full. One person asks, one request after the other, each question in turn.',
      'Ten people: each opens something every second on average, a list with its figure, and has the overview open. Two scripts: the same without a pause.',
      ...exported,
    ],
  }
}
