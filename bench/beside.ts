import type { Goal } from './outcome.ts'
import type { Measured, Measurement, Sample } from './rounds.ts'

const ROUND_SECONDS = 3
const ROUNDS_ALONE = 5

export interface Beside {
  measured: Measured[]
  // Every request was answered.
  ok: boolean
  // Their rate beside the work, to that before and after it.
  ratio: number
  // What the work took, and what it gave.
  seconds: number
  answer: string
}

// Purchases alone, while something else is done, and alone again.
export async function measureBeside(
  what: string,
  purchases: Measurement,
  tell: (text: string) => void,
  work: () => Promise<string>,
): Promise<Beside> {
  tell('warming up')
  await purchases.run(ROUND_SECONDS)
  tell('purchases alone')
  const before = await rounds(purchases, ROUNDS_ALONE)
  tell(`purchases beside ${what}`)
  const began = performance.now()
  let seconds: number | undefined
  const working = work().finally(() => {
    seconds = (performance.now() - began) / 1000
  })
  const beside = await untilDone(purchases, () => seconds !== undefined)
  const answer = await working
  const after = await rounds(purchases, ROUNDS_ALONE)
  return {
    measured: [named('before', before), named(`beside ${what}`, beside), named('after', after)],
    ok: [...before, ...beside, ...after].every(({ errors }) => errors === 0),
    ratio: mean(beside) / mean([...before, ...after]),
    seconds: seconds!,
    answer,
  }
}

export const besideGoal = (what: string, ratios: readonly number[]): Goal => ({
  what: `purchases beside ${what}, to before and after`,
  values: ratios,
  unit: '×',
  target: { atLeast: 0.9 },
})

const named = (when: string, samples: Sample[]): Measured => ({ name: `purchases, ${when}`, samples })
const mean = (samples: readonly Sample[]) =>
  samples.reduce((sum, { perSecond }) => sum + perSecond, 0) / samples.length

async function rounds(purchases: Measurement, count: number): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let i = 0; i < count; i += 1) samples.push(await purchases.run(ROUND_SECONDS))
  return samples
}

// A round that the work ended in counts: it is of the work for the most part.
async function untilDone(purchases: Measurement, isDone: () => boolean): Promise<Sample[]> {
  const samples: Sample[] = []
  while (!isDone()) samples.push(await purchases.run(ROUND_SECONDS))
  return samples
}
