import { readFileSync } from 'node:fs'
import type { Run } from '../outcome.ts'
import { chartOf } from './chart.ts'
import { figuresOf } from './tables.ts'

// docs/benchmarks.md and its chart, made anew from the figures of the run that is kept beside them.
const RUN = new URL('../../docs/benchmarks.json', import.meta.url)
const DOCUMENT = new URL('../../docs/benchmarks.md', import.meta.url)
const CHART = new URL('../../docs/benchmarks.svg', import.meta.url)

const FIGURES = /(?<=<!-- figures -->\n).*(?=<!-- end of figures -->)/s

export function generateBenchmarks(): [file: URL, text: string][] {
  const run: Run = JSON.parse(readFileSync(RUN, 'utf8'))
  const document = readFileSync(DOCUMENT, 'utf8')
  if (!FIGURES.test(document)) throw new Error('docs/benchmarks.md has no place for figures')
  return [
    [DOCUMENT, document.replace(FIGURES, () => `\n${figuresOf(run)}\n\n`)],
    [CHART, chartOf(run)],
  ]
}
