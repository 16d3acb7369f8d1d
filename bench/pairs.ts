import { type Meter, UNMETERED } from './cpu.ts'
import type { Goal } from './outcome.ts'
import { type Measured, type Measurement, measureInTurn, type Rounds, ratios } from './rounds.ts'

interface Compared {
  meter: Meter
  measurements: readonly Measurement[]
}

// The same measurements on two installations, each on one and then on the other: what else the machine does meets both alike.
export async function measureInPairs(
  few: Compared,
  many: Compared,
  rounds: Rounds,
  { warmUpSeconds, tell }: { warmUpSeconds: number; tell: (text: string) => void },
): Promise<{ few: Measured[]; many: Measured[] }> {
  const [ofFew, ofMany] = [few, many].map(({ meter, measurements }) =>
    measurements.map((one): Measurement => ({ ...one, run: (seconds) => one.run(seconds), meter })),
  )
  const pairs = ofFew!.flatMap((one, i) => [one, ofMany![i]!])
  tell('warming up')
  for (const measurement of pairs) await measurement.run(warmUpSeconds)
  const measured = await measureInTurn(pairs, rounds, UNMETERED, tell)
  return {
    few: measured.filter((_, i) => i % 2 === 0),
    many: measured.filter((_, i) => i % 2 === 1),
  }
}

// One list with the number of cards in each name, and what many cards take against few.
export function comparePairs(
  { few, many }: { few: readonly Measured[]; many: readonly Measured[] },
  cards: { few: number; many: number },
  targetOf: (name: string) => Goal['target'],
): { measured: Measured[]; goals: Goal[] } {
  const named = (one: Measured, count: number) => ({
    ...one,
    name: `${one.name}, ${count.toLocaleString('en-US')} cards`,
  })
  return {
    measured: few.flatMap((one, i) => [named(one, cards.few), named(many[i]!, cards.many)]),
    goals: few.map((one, i) => {
      const target = targetOf(one.name)
      return {
        what: `${one.name}, many cards to few, p50`,
        values: ratios(many[i]!, one, 'p50'),
        unit: '×' as const,
        ...(target && { target }),
      }
    }),
  }
}
