import { readFileSync, writeFileSync } from 'node:fs'

// docs/proof.md shows the runs that are kept in docs/proof.json: the newest of each proof and its biggest.
const RUNS = new URL('../docs/proof.json', import.meta.url)
const DOCUMENT = new URL('../docs/proof.md', import.meta.url)

const FIGURES = /(?<=<!-- figures -->\n).*(?=<!-- end of figures -->)/s

export interface ProofRun {
  name: string
  seed: number
  count: number
  duration: number
  acts: number
  unknown: number
  faults: number
  violations: readonly string[]
  longestOutageMs: number
  notes?: readonly string[]
  seconds: number
  machine: string
  date: string
}

export function generateProof(): [file: URL, text: string][] {
  const document = readFileSync(DOCUMENT, 'utf8')
  if (!FIGURES.test(document)) throw new Error('docs/proof.md has no place for figures')
  return [[DOCUMENT, document.replace(FIGURES, () => `\n${tableOf(readRuns())}\n\n`)]]
}

function readRuns(): ProofRun[] {
  return JSON.parse(readFileSync(RUNS, 'utf8')) as ProofRun[]
}

// One run of each proof: a new one takes the place of the last.
export function recordRun(run: Omit<ProofRun, 'date'>): void {
  const { name, seed, count, duration, acts, unknown, faults, longestOutageMs, seconds } = run
  const kept: ProofRun = {
    ...{ name, seed, count, duration, acts, unknown, faults, violations: run.violations },
    ...{
      longestOutageMs: Math.round(longestOutageMs),
      notes: run.notes ?? [],
      seconds,
      machine: run.machine,
    },
    date: Temporal.Now.plainDateISO('UTC').toString(),
  }
  const runs = [...readRuns().filter((other) => other.name !== name), kept].toSorted((one, other) =>
    one.name.localeCompare(other.name),
  )
  writeFileSync(RUNS, `${JSON.stringify(runs, null, 1)}\n`)
  for (const [file, text] of generateProof()) writeFileSync(file, text)
}

const figure = (value: number) => value.toLocaleString('en-US')

function tableOf(runs: readonly ProofRun[]): string {
  if (runs.length === 0) return 'No run is kept yet.'
  const header = [
    'command',
    'acts',
    'unknown',
    'faults',
    'violations',
    'rate below',
    'longest outage',
    'took',
    'date',
  ]
  const lines = runs.map((run) => [
    `\`npm run prove -- ${commandOf(run)}\``,
    ...[run.acts, run.unknown, run.faults, run.violations.length].map(figure),
    run.violations.length === 0 && run.acts > 0 ? `3/${figure(run.acts)}` : '',
    `${(run.longestOutageMs / 1_000).toFixed(1)} s`,
    `${Math.round(run.seconds / 6) / 10} min`,
    run.date,
  ])
  const table = [header, header.map((_, i) => (i === 0 ? '---' : '---:')), ...lines]
  const machines = [...new Set(runs.map((run) => run.machine))]
  return [
    table.map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
    ...runs
      .filter(({ notes = [] }) => notes.length > 0)
      .map(({ name, notes }) => `**${name}**: ${notes!.join('; ')}.`),
    `Machine: ${machines.join('; ')}.`,
  ].join('\n\n')
}

function commandOf({ name, seed, count, duration }: ProofRun): string {
  return `${name} --seed ${seed} --count ${count}${duration > 0 ? ` --duration ${duration}` : ''}`
}
