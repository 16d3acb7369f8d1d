import { createPasswords } from '#modules/accounts/password.ts'
import { type DeskSamples, signInStaff, takeDeskSamples } from '../console/desk.ts'
import { measureExport } from '../console/exports.ts'
import { asker, questionsOn } from '../console/questions.ts'
import type { Installation } from '../installation.ts'
import { startGenerator } from '../load/start.ts'
import { PASSWORD } from '../members/people.ts'
import { openMarket } from '../members/quotes.ts'
import type { Options } from '../options.ts'
import type { Goal, Outcome } from '../outcome.ts'
import { addPartners, type BenchPartner } from '../partners.ts'
import { buying } from '../requests.ts'
import { type Measured, type Measurement, measureInTurn, ratios } from '../rounds.ts'
import { loadScale, settle } from '../scale/load.ts'

// What every object needs to have a page, and next to nothing else: an installation of the first day.
const FEW = { cards: 100, members: 50 }
const AT_ONCE = 2 // people who click without a pause

// The console with an all but empty database and with a full one, in one run. Then purchases alone and beside a busy console.
export async function benchmarkConsole(
  installation: Installation,
  options: Options,
  tell: (text: string) => void,
): Promise<Outcome> {
  tell('first start')
  await installation.startServer()
  const connection = await installation.joinDatabase()
  const partners = await addPartners(installation, ['console-1', 'console-2', 'console-3'])
  await openMarket(connection)
  const passwordHash = await createPasswords().hash(PASSWORD)
  const stages: { cards: number; measured: Measured[] }[] = []
  let loaded = { cards: 0, members: 0 }
  let samples: DeskSamples | undefined
  for (const total of [FEW, options.console]) {
    await loadScale(
      connection,
      {
        partnerCodes: partners.map(({ code }) => code),
        firstCard: loaded.cards + 1,
        cards: total.cards - loaded.cards,
        firstMember: loaded.members + 1,
        members: total.members - loaded.members,
        passwordHash,
      },
      tell,
    )
    loaded = total
    samples = await takeDeskSamples(connection, installation.vault())
    // Fresh connections have no plan of a smaller table.
    await installation.stopServer()
    await settle(connection, tell)
    await installation.startServer()
    const desk = {
      port: installation.port,
      cookies: await signInStaff(connection),
      partnerCode: partners[0]!.code,
    }
    const measured = await measure(questionsOn(desk, samples), installation, options, tell)
    stages.push({ cards: total.cards, measured })
  }
  const exported = await measureExport(installation.port, (await signInStaff(connection))[0]!, tell)
  const busy = await measureBusy(installation, partners[0]!, samples!, options, tell)
  return compare(stages[0]!, stages[1]!, busy, exported)
}

async function measure(
  measurements: readonly Measurement[],
  installation: Installation,
  options: Options,
  tell: (text: string) => void,
): Promise<Measured[]> {
  tell('warming up')
  for (const measurement of measurements) await measurement.run(0.2)
  return measureInTurn(measurements, options, await installation.meter(), tell)
}

async function measureBusy(
  installation: Installation,
  partner: BenchPartner,
  samples: DeskSamples,
  options: Options,
  tell: (text: string) => void,
): Promise<Measured[]> {
  const generator = startGenerator()
  const { port } = installation
  const desk = {
    port,
    cookies: await signInStaff(await installation.joinDatabase()),
    partnerCode: partner.code,
  }
  const buy = (name: string) => buying(name, { port, generator, keys: [partner.key] }, { connections: 16 })
  const alone = buy('purchases')
  const beside = buy('purchases beside a busy console')
  const pages = [
    '/lists/cards',
    '/lists/cards/figure',
    '/lists/deliveries?status=failed',
    '/lists/members',
    '/overview',
  ]
  const paths = [...pages, ...samples.cards.map(({ id }) => `/cards/${id}`)]
  const measured = await measure(
    [
      alone,
      {
        name: beside.name,
        async run(seconds) {
          let isOver = false
          const clicking = Array.from({ length: AT_ONCE }, async () => {
            const ask = asker(desk, paths)
            while (!isOver) await ask()
          })
          const sample = await beside.run(seconds)
          isOver = true
          await Promise.all(clicking)
          return sample
        },
      },
    ],
    installation,
    options,
    tell,
  )
  await generator.stop()
  return measured
}

function compare(
  few: { cards: number; measured: Measured[] },
  many: { cards: number; measured: Measured[] },
  [alone, beside]: Measured[],
  exported: string[],
): Outcome {
  const named = ({ cards, measured }: typeof few) =>
    measured.map((one) => ({ ...one, name: `${one.name}, ${cards.toLocaleString('en-US')} cards` }))
  const goals = few.measured.map(
    (one, i): Goal => ({
      what: `${one.name}, many cards to few, p50`,
      values: ratios(many.measured[i]!, one, 'p50'),
      unit: '×',
      // Filters cost what they find; the others must not grow.
      ...(one.name.startsWith('filtered') ? {} : { target: { atMost: 3 } }),
    }),
  )
  const purchases: Goal = {
    what: 'purchases beside a busy console to alone',
    values: ratios(beside!, alone!, 'perSecond'),
    unit: '×',
    target: { atLeast: 0.9 },
  }
  const measured = [...few.measured.flatMap((_, i) => [named(few)[i]!, named(many)[i]!]), alone!, beside!]
  return {
    ok: measured.every(({ samples }) => samples.every(({ errors }) => errors === 0)),
    measured,
    goals: [...goals, purchases],
    notes: [
      'One database, first all but empty and then full. One person asks, one request after the other; the console that stands beside purchases has two.',
      ...exported,
    ],
  }
}
