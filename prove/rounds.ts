import type { Wanted } from './proof.ts'

// The loop over faults, of every proof: numbers from 0 until both the count and the duration are reached.
export function* rounds({ count, duration }: Wanted, secondsSoFar: () => number): Generator<number> {
  for (let n = 0; n < count || secondsSoFar() < duration; n += 1) yield n
}
