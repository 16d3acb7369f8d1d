import type { Run } from '../outcome.ts'
import { goalCells, goalHeader, measuredCells, measuredHeader } from '../report.ts'

// The figures of a run for docs/benchmarks.md.
export function figuresOf(run: Run): string {
  const { machine, postgres, date, rounds, parts } = run
  const targets = parts.flatMap(({ goals }) => goals.map(goalCells))
  return [
    `Measured on ${date}, ${machine}, PostgreSQL ${postgres}; ${rounds} rounds, each figure their median.`,
    '![Requests per second, with the lowest and the highest round](benchmarks.svg)',
    '### Targets',
    table(goalHeader('what'), targets),
    ...parts.flatMap(({ part, measured }) => [
      `### ${part[0]!.toUpperCase()}${part.slice(1)}`,
      table(measuredHeader, measured.map(measuredCells)),
    ]),
  ].join('\n\n')
}

// The first column is text, the others are figures.
function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = header.map((_, i) => (i === 0 ? '---' : '---:'))
  return [line(header), line(rule), ...rows.map(line)].join('\n')
}
