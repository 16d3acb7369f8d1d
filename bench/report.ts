import { type Measured, typical } from './rounds.ts'

export interface Goal {
  what: string
  value: number
  unit: string
  // A bound from above or from below, if there is one, and what we would rather have.
  target?: { atLeast: number } | { atMost: number }
  aim?: number
}

export function printMeasured(title: string, measured: readonly Measured[]): void {
  print(
    [title, 'per second', 'p50 ms', 'p99 ms'],
    measured.map((row) => [
      row.name,
      Math.round(typical(row, 'perSecond')).toLocaleString('en-US'),
      milliseconds(typical(row, 'p50')),
      milliseconds(typical(row, 'p99')),
    ]),
  )
}

const milliseconds = (value: number) => (Number.isNaN(value) ? '' : value.toFixed(2))

export function printGoals(goals: readonly Goal[]): void {
  print(
    ['compared', 'measured', 'target', ''],
    goals.map(({ what, value, unit, target, aim }) => {
      const shown = `${figure(value)}${unit}`
      if (!target) return [what, shown, '', '']
      const [sign, bound] = 'atLeast' in target ? ['≥', target.atLeast] : ['≤', target.atMost]
      const met = sign === '≥' ? value >= bound : value <= bound
      const wish = aim === undefined ? '' : ` (aim ${aim}${unit})`
      return [what, shown, `${sign} ${bound.toLocaleString('en-US')}${unit}${wish}`, met ? 'ok' : 'MISSED']
    }),
  )
}

const figure = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(2))

// The first column is text, the others are figures.
function print(header: readonly string[], rows: readonly (readonly string[])[]): void {
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
