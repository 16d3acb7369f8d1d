import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { offerFiles, removeQueue } from '#test/file-queue.ts'
import { globalSetup, globalTeardown } from '#test/global-setup.ts'
import { patiently } from '#test/patience.ts'

// `npm test`: every test file, with the ten slowest at the end. Arguments are files or patterns to run instead of all.
// --check: what `npm run check` checks, beside the tests.
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts', 'tools/**/*.test.ts', 'prove/**/*.test.ts']

// Each of these has a process of its own. Those of faults and proofs kill and stop what they started, and whatever they left behind
// ends with the process. The other one watches what is loaded.
const ALONE = ['test/faults/', 'prove/', 'src/app/server/load-rest.test.ts']
const isAlone = (file: string) => ALONE.some((start) => file.startsWith(start))
// All others take turns in a few processes. Loading the code takes longer than most of them.
const FILE_RUNNER = 'test/harness/file-runner.ts'

// Started first, so that none of them is left running alone at the end. Those that mostly wait come before those that
// mostly compute.
const LONG = [
  'test/faults/delivery-kills.test.ts',
  'prove/',
  'test/faults/promotion.test.ts',
  'test/faults/backup-drill.test.ts',
  'test/faults/copied-folder.test.ts',
  'test/faults/embedded-postgres.test.ts',
  'test/faults/private-tmp.test.ts',
  'test/faults/first-start.test.ts',
  'test/faults/move.test.ts',
  'test/faults/dead-connections.test.ts',
  'test/faults/deliveries.test.ts',
  'test/faults/delivery-database.test.ts',
  'test/api/deliveries.test.ts',
  'test/browser/member-pages.test.ts',
  'src/base/db/liveness.test.ts',
  'test/api/postgres-15.test.ts',
  'test/browser/',
  'test/api/expiry.test.ts',
  'test/api/sql-functions.test.ts',
  'test/api/migrations.test.ts',
  'test/api/member-guessing.test.ts',
  'test/api/command-line.test.ts',
]
const rank = (file: string) => {
  const found = LONG.findIndex((start) => file.startsWith(start))
  return found < 0 ? LONG.length : found
}

const [isCheck, patterns] = splitArguments(process.argv.slice(2))
const found = new Set(patterns.length > 0 ? patterns.flatMap(filesNamed) : globSync(ALL, { cwd: ROOT }))
const files = [...found].sort().toSorted((one, other) => rank(one) - rank(other))
const alone = files.filter(isAlone)
const together = files.filter((file) => !isAlone(file))
// Two from the beginning, and more when those that run alone are done. What a process leaves when it dies is for the
// spare ones; they end at once if nothing is left.
const runners = (count: number) => together.slice(0, count).map(() => FILE_RUNNER)
const started = [...runners(2), ...alone, ...runners(16)]

const checks = isCheck ? runChecks() : undefined
await globalSetup()
offerFiles(ROOT, together)
const stream = run({
  cwd: ROOT,
  files: started.map((file) => `${ROOT}${file}`),
  // Room for what a test file makes and drops: with Node's own 16 MB a tenth of the time goes to collecting it.
  execArgv: ['--max-semi-space-size=64'],
  // Tests wait as much as they compute. No more than four: their PostgreSQL has 200 connections, and a file with
  // two services takes up to thirty.
  concurrency: Math.min(4, 2 * availableParallelism()),
  // A file that hangs is killed, and named. One of a shared process has half of this (test/harness/run-files.ts).
  timeout: patiently(1_200_000),
})
const seconds = new Map<string, number>()
stream.on('test:summary', ({ file, duration_ms: ms }) => {
  if (file !== undefined) seconds.set(relative(ROOT, file), ms / 1_000)
})
// A file of a shared process is a test in it.
stream.on('test:complete', ({ name, nesting, details }) => {
  if (nesting === 0 && together.includes(name)) seconds.set(name, details.duration_ms / 1_000)
})
stream.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1
})
await pipeline(stream.compose(new spec()), process.stdout, { end: false })
printSlowest()
printUnfinished()
await printChecks()
removeQueue()
await globalTeardown()

// Each word has to name a file: one that is mistyped would otherwise be left out without a word.
function filesNamed(pattern: string): string[] {
  const named = pattern.startsWith('-')
    ? []
    : globSync(pattern, { cwd: ROOT }).map((file) => relative(ROOT, resolve(ROOT, file)))
  if (named.length === 0) throw new Error(`no test file is named ${pattern}`)
  return named
}

function splitArguments(words: string[]): [isCheck: boolean, patterns: string[]] {
  return [words.includes('--check'), words.filter((word) => word !== '--check')]
}

async function runChecks(): Promise<{ code: number; output: string }> {
  const child = spawn('npm', ['run', '--silent', 'check'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const [code] = await once(child, 'close')
  return { code, output }
}

// Last, where it is seen.
async function printChecks(): Promise<void> {
  const done = await checks
  if (done === undefined || done.code === 0) return
  process.exitCode = 1
  process.stdout.write(`\nnpm run check failed:\n${done.output}`)
}

function printSlowest(): void {
  const slowest = [...seconds].filter(([file]) => file !== FILE_RUNNER)
  const lines = slowest
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 10)
    .map(([file, took]) => `${took.toFixed(1).padStart(7)} s  ${file}\n`)
  process.stdout.write(`\nslowest files:\n${lines.join('')}`)
}

// A process that dies takes the file along that it was at.
function printUnfinished(): void {
  const unfinished = files.filter((file) => !seconds.has(file))
  if (unfinished.length === 0) return
  process.exitCode = 1
  process.stdout.write(`\nnot finished:\n${unfinished.map((file) => `  ${file}\n`).join('')}`)
}
