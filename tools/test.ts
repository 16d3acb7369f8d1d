import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { globalSetup, globalTeardown } from '#test/global-setup.ts'
import { patiently } from '#test/patience.ts'

// `npm test`: every test file in a process of its own, with the ten slowest files at the end. Arguments are files or
// patterns to run instead of all.
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts', 'tools/**/*.test.ts']

// Started first, so that none of them is left running alone at the end. Those that mostly wait come before those that
// mostly compute.
const LONG = [
  'src/base/db/liveness.test.ts',
  'test/faults/',
  'test/browser/member-pages.test.ts',
  'test/browser/',
  'test/api/deliveries.test.ts',
  'test/api/migrations.test.ts',
  'test/api/member-guessing.test.ts',
]
const rank = (file: string) => {
  const found = LONG.findIndex((start) => file.startsWith(start))
  return found < 0 ? LONG.length : found
}

const patterns = process.argv.slice(2)
const found = globSync(patterns.length > 0 ? patterns : ALL, { cwd: ROOT }).sort()
if (found.length === 0) throw new Error(`no test file is named ${patterns.join(' ')}`)
const files = found.toSorted((one, other) => rank(one) - rank(other))

await globalSetup()
const stream = run({
  cwd: ROOT,
  files: files.map((file) => `${ROOT}${file}`),
  // Tests wait as much as they compute. No more than four: their PostgreSQL has a hundred connections, and a file with
  // two services takes up to thirty.
  concurrency: Math.min(4, 2 * availableParallelism()),
  timeout: patiently(900_000),
})
const durations: { file: string; seconds: number }[] = []
stream.on('test:summary', ({ file, duration_ms: ms }) => {
  if (file !== undefined) durations.push({ file: relative(ROOT, file), seconds: ms / 1_000 })
})
stream.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1
})
await pipeline(stream.compose(new spec()), process.stdout, { end: false })
printSlowest()
await globalTeardown()

function printSlowest(): void {
  const slowest = durations.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10)
  const lines = slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}\n`)
  process.stdout.write(`\nslowest files:\n${lines.join('')}`)
}
