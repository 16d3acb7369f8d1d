import { type Measured, median } from './rounds.ts'

// What a part found out: the main program prints it, sums it up and writes it as JSON.
export interface Outcome {
  // Every request was answered and the books balance. Whether targets are met is only told: a benchmark on a busy machine
  // is no test.
  ok: boolean
  measured: readonly Measured[]
  goals: readonly Goal[]
  // How it was measured, for readers of the figures, and what was checked.
  notes: readonly string[]
}

// A whole run, as --json writes it.
export interface Run {
  machine: string
  postgres: string
  date: string
  rounds: number
  parts: (Outcome & { part: string })[]
}

export interface Goal {
  what: string
  // One per round: their median is the figure, their lowest and highest the noise.
  values: readonly number[]
  unit: string
  // A bound from above or from below, if there is one, and what we would rather have.
  target?: { atLeast: number } | { atMost: number }
  aim?: number
}

export type Verdict = 'hit' | 'missed' | 'within noise'

// Rounds that disagree leave it open.
export function verdictOf({ values, target }: Goal): Verdict | undefined {
  if (!target) return undefined
  const met = values.filter((value) =>
    'atLeast' in target ? value >= target.atLeast : value <= target.atMost,
  )
  if (met.length === values.length) return 'hit'
  return met.length === 0 ? 'missed' : 'within noise'
}

export function spreadOf(values: readonly number[]): { lowest: number; middle: number; highest: number } {
  return { lowest: Math.min(...values), middle: median(values), highest: Math.max(...values) }
}
