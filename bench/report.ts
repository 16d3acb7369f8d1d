import { type Goal, type Outcome, type Run, spreadOf, verdictOf } from './outcome.ts'
import { type Measured, median, roundsOf, type Sample, typical } from './rounds.ts'

export function printOutcome({ measured, goals, notes }: Outcome): void {
  printMeasured(measured)
  printGoals('compared', goals)
  process.stdout.write(`\n${notes.join('\n')}\n`)
}

function printMeasured(measured: readonly Measured[]): void {
  print(measuredHeader, measured.map(measuredCells))
}

export const measuredHeader = [
  ...['', 'per second', 'noise', 'p50 ms', 'p99 ms', 'CPU µs: service', 'PostgreSQL', 'load'],
]

export function measuredCells(row: Measured): string[] {
  return [
    row.name,
    Math.round(typical(row, 'perSecond')).toLocaleString('en-US'),
    noise(roundsOf(row, 'perSecond')),
    milliseconds(typical(row, 'p50')),
    milliseconds(typical(row, 'p99')),
    microseconds(row, ({ cpu }) => cpu?.service),
    microseconds(row, ({ cpu }) => cpu?.postgres),
    share(row),
  ]
}

const milliseconds = (value: number) => (Number.isNaN(value) ? '' : value.toFixed(2))

// Half of the way from the lowest round to the highest.
function noise(values: readonly number[]): string {
  const { lowest, middle, highest } = spreadOf(values)
  return values.length < 2 ? '' : `±${((100 * (highest - lowest)) / 2 / middle).toFixed(0)}%`
}

function microseconds(row: Measured, of: (sample: Sample) => number | undefined): string {
  const values = row.samples.flatMap((sample) => of(sample) ?? [])
  return values.length === 0 ? '' : median(values).toFixed(0)
}

// Of one core: near 100% the load could not have asked for more.
function share(row: Measured): string {
  const values = row.samples.flatMap(({ load }) => (load ? [load.cpuSeconds / load.seconds] : []))
  return !(values[0]! >= 0) ? '' : `${(100 * median(values)).toFixed(0)}%`
}

export function printGoals(title: string, goals: readonly Goal[]): void {
  if (goals.length === 0) return
  print(goalHeader(title), goals.map(goalCells))
}

export const goalHeader = (title: string) => [title, 'measured', 'noise', 'target', 'verdict']

export function goalCells(goal: Goal): string[] {
  const { lowest, middle, highest } = spreadOf(goal.values)
  const { unit, aim, target } = goal
  const range = goal.values.length < 2 ? '' : `${figure(lowest)}–${figure(highest)}`
  const wish = aim === undefined ? '' : ` (aim ${aim})`
  const bound = !target
    ? ''
    : 'atLeast' in target
      ? `≥ ${target.atLeast.toLocaleString('en-US')}${unit}${wish}`
      : `≤ ${target.atMost.toLocaleString('en-US')}${unit}${wish}`
  return [goal.what, `${figure(middle)}${unit}`, range, bound, verdictOf(goal) ?? '']
}

const figure = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2)

// Four places say all that was measured.
export function jsonOf(run: Run): string {
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) ? Number(value.toPrecision(4)) : value
  return `${JSON.stringify(run, rounded, 1)}\n`
}

// The first column is text, the others are figures.
export function print(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [header, ...rows]
  const widths = header.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)))
  const text = lines.map((line) =>
    line
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd(),
  )
  process.stdout.write(`\n${text.join('\n')}\n`)
}
