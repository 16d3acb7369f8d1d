import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { refusals } from './options.ts'
import type { Figures } from './proof.ts'
import { PROOFS } from './proofs.ts'

// docs/proof.md lists the proofs, and shows the runs that `--record` has put into docs/proof.json: the last of each size.
const RUNS = new URL('../docs/proof.json', import.meta.url)
const DOCUMENT = new URL('../docs/proof.md', import.meta.url)

const LIST = /(?<=<!-- proofs -->\n).*(?=<!-- end of proofs -->)/s
const FIGURES = /(?<=<!-- figures -->\n).*(?=<!-- end of figures -->)/s

export interface ProofRun extends Figures {
  name: string
  seed: number
  count: number
  duration: number
  // Absent in runs from before it could be given.
  leastActs?: number | undefined
  from?: string | undefined
  // That it ran on; absent without git, or from before it was recorded.
  commit?: string | undefined
  seconds: number
  machine: string
  date: string
}

export function generateProof(): [file: URL, text: string][] {
  const document = readFileSync(DOCUMENT, 'utf8')
  for (const place of [LIST, FIGURES])
    if (!place.test(document)) throw new Error(`docs/proof.md has no place for ${place}`)
  const text = document
    .replace(LIST, () => `\n${listOfProofs()}\n\n`)
    .replace(FIGURES, () => `\n${showRuns(readRuns())}\n\n`)
  return [[DOCUMENT, text]]
}

export function readRuns(): ProofRun[] {
  return JSON.parse(readFileSync(RUNS, 'utf8')) as ProofRun[]
}

// The commit of the tree. What --record itself changes makes it no other.
export function commitHere(): string | undefined {
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: new URL('..', import.meta.url), encoding: 'utf8' })
  const { status, stdout } = git('rev-parse', '--short', 'HEAD')
  if (status !== 0) return undefined
  const changes = git('status', '--porcelain', '--', '.', ':!docs/proof.json', ':!docs/proof.md').stdout
  return `${stdout.trim()}${changes === '' ? '' : '-dirty'}`
}

export function recordRun(run: Omit<ProofRun, 'date'>): void {
  const { name, seed, count, duration, leastActs, commit, acts, unknown, faults, longestOutageMs, seconds } =
    run
  const kept: ProofRun = {
    ...{ name, seed, count, duration, leastActs, from: nameOf(run.from), commit },
    ...{ acts, unknown, faults, violations: run.violations },
    ...{ longestOutageMs: Math.round(longestOutageMs), notes: run.notes ?? [], seconds },
    ...{ machine: run.machine, date: Temporal.Now.plainDateISO('UTC').toString() },
  }
  writeFileSync(RUNS, `${JSON.stringify(withRun(readRuns(), kept), null, 1)}\n`)
  for (const [file, text] of generateProof()) writeFileSync(file, text)
}

// It takes the place of an earlier run of the same size: a short run never takes that of a long one.
export function withRun(runs: readonly ProofRun[], run: ProofRun): ProofRun[] {
  return [...runs.filter((other) => sizeOf(other) !== sizeOf(run)), run].toSorted(
    (one, other) => one.name.localeCompare(other.name) || one.count - other.count,
  )
}

function sizeOf({ name, count, duration, leastActs = 0, from }: ProofRun): string {
  return JSON.stringify([name, count, duration, leastActs, from])
}

// A release that is installed in a folder: the path is this machine's business.
function nameOf(from: string | undefined): string | undefined {
  return from !== undefined && existsSync(join(from, 'src/main.js')) ? basename(resolve(from)) : from
}

function listOfProofs(): string {
  const lines = Object.entries(PROOFS)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, { what, takes = '' }]) => [`\`${name}\``, what, takes])
  return [
    tableOf([['name', 'faults', 'takes'], ['---', '---', '---'], ...lines]),
    ...refusals(PROOFS).map(({ text }) => `${text.replaceAll(/--\w+/g, '`$&`')}.`),
  ].join('\n\n')
}

const tableOf = (lines: readonly (readonly string[])[]) =>
  lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const figure = (value: number) => value.toLocaleString('en-US')

const HEADER = [
  ...['command', 'commit', 'acts', 'unknown', 'faults', 'violations', 'rate below'],
  ...['longest outage', 'took', 'date'],
]

function showRuns(runs: readonly ProofRun[]): string {
  const lines = runs.map((run) => [
    `\`npm run prove -- ${commandOf(run)}\``,
    run.commit ?? '',
    ...[run.acts, run.unknown, run.faults, run.violations.length].map(figure),
    run.violations.length === 0 && run.acts > 0 ? `3/${figure(run.acts)}` : '',
    `${(run.longestOutageMs / 1_000).toFixed(1)} s`,
    `${Math.round(run.seconds / 6) / 10} min`,
    run.date,
  ])
  const without = Object.keys(PROOFS).filter((name) => !runs.some((run) => run.name === name))
  const machines = [...new Set(runs.map((run) => run.machine))]
  return [
    tableOf([HEADER, HEADER.map((_, i) => (i < 2 ? '---' : '---:')), ...lines]),
    ...runs
      .filter(({ notes = [] }) => notes.length > 0)
      .map(({ name, count, notes }) => `**${name}**, ${count}: ${notes!.join('; ')}.`),
    ...(without.length > 0 ? [`No run is kept of: ${without.toSorted().join(', ')}.`] : []),
    ...(machines.length > 0 ? [`Machine: ${machines.join('; ')}.`] : []),
  ].join('\n\n')
}

// As it can be given again.
export function commandOf({ name, seed, count, duration, leastActs = 0, from }: ProofRun): string {
  const options = [`--seed ${seed}`, `--count ${count}`]
  if (duration > 0) options.push(`--duration ${duration}`)
  if (leastActs > 0) options.push(`--acts ${leastActs}`)
  if (from !== undefined) options.push(`--from ${from}`)
  return [name, ...options].join(' ')
}
