import { loadDay } from '../day-of-movements.ts'
import type { Installation } from '../installation.ts'
import { startGenerator } from '../load/start.ts'
import type { Options } from '../options.ts'
import type { Outcome } from '../outcome.ts'
import { addPartners } from '../partners.ts'
import { buying } from '../requests.ts'
import type { Measured, Measurement, Sample } from '../rounds.ts'
import { withClient } from '../sql.ts'

const CODES = ['close-1', 'close-2', 'close-3', 'close-4', 'close-5']
const ROUND_SECONDS = 3
const ROUNDS_ALONE = 5

// Closes a day of many movements while purchases go on, and compares their rate with that before and after it.
export async function benchmarkClose(
  installation: Installation,
  { close: { movements } }: Options,
  tell: (text: string) => void,
): Promise<Outcome> {
  tell('first start')
  await installation.startServer()
  const partners = await addPartners(installation, CODES)
  tell(`a day of ${movements.toLocaleString('en-US')} movements`)
  await withClient(await installation.joinDatabase(), (client) => loadDay(client, CODES, movements))
  const generator = startGenerator()
  const keys = partners.map(({ key }) => key)
  const purchases = buying('purchases', { port: installation.port, generator, keys }, { connections: 16 })
  tell('warming up')
  await purchases.run(ROUND_SECONDS)
  const before = await rounds(purchases, ROUNDS_ALONE)
  tell('closing the day')
  const began = performance.now()
  let seconds: number | undefined
  const closing = installation.command('books', 'close', '--json').then((answer) => {
    seconds = (performance.now() - began) / 1000
    return answer
  })
  const beside = await untilDone(purchases, () => seconds !== undefined)
  const { closed } = JSON.parse(await closing) as { closed: string[] }
  const after = await rounds(purchases, ROUNDS_ALONE)
  await generator.stop()
  const alone = mean([...before, ...after])
  return {
    ok: closed.length === 1 && [...before, ...beside, ...after].every(({ errors }) => errors === 0),
    measured: [named('before', before), named('beside the close', beside), named('after', after)],
    goals: [
      {
        what: 'purchases beside the close, to before and after',
        values: [mean(beside) / alone],
        unit: '×',
        target: { atLeast: 0.9 },
      },
      {
        what: 'a close, for 1,000,000 movements',
        values: [(seconds! * 1e6) / movements],
        unit: 's',
        target: { atMost: 60 },
      },
    ],
    notes: [
      `${movements.toLocaleString('en-US')} movements closed in ${seconds!.toFixed(1)} s, with the start of the command`,
    ],
  }
}

const named = (when: string, samples: Sample[]): Measured => ({ name: `purchases, ${when}`, samples })
const mean = (samples: readonly Sample[]) =>
  samples.reduce((sum, { perSecond }) => sum + perSecond, 0) / samples.length

async function rounds(purchases: Measurement, count: number): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let i = 0; i < count; i += 1) samples.push(await purchases.run(ROUND_SECONDS))
  return samples
}

// A round that the close ended in counts: it is of the close for the most part.
async function untilDone(purchases: Measurement, isDone: () => boolean): Promise<Sample[]> {
  const samples: Sample[] = []
  while (!isDone()) samples.push(await purchases.run(ROUND_SECONDS))
  return samples
}
