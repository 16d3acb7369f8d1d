import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { leaveHooksOut } from '#test/at-end.ts'
import { machine } from '../bench/machine.ts'
import { commitHere, recordRun } from './doc.ts'
import { BadOption, type Options, readOptions, usage } from './options.ts'
import type { Figures } from './proof.ts'
import { PROOFS } from './proofs.ts'

// npm run prove -- NAME: one proof, on services of its own. Exits with 0 only if no invariant was violated.
leaveHooksOut()
// So that what is to be done at the exit is done: a mounted disk, a frozen process.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(code))
try {
  const argv = process.argv.slice(2)
  if (argv.includes('--help')) process.stdout.write(usage(PROOFS))
  else process.exitCode = await run(readOptions(argv, PROOFS))
} catch (error) {
  process.exitCode = error instanceof BadOption ? 2 : 1
  process.stderr.write(`${error instanceof BadOption ? error.message : (error as Error).stack}\n`)
}
// Stand-ins and connections that are still open would keep the process. What it started ends with it.
process.exit()

async function run(options: Options): Promise<number> {
  const { name, seed, count, duration, leastActs, from } = options
  const proof = PROOFS[name]!
  const lacking = proof.lacks?.()
  if (lacking !== undefined) throw new Error(`${name} cannot run here: ${lacking}`)
  const folder = makeFolder(options.folder)
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  say(
    `${name}, seed ${seed}, at least ${count} faults, ${duration} s and ${leastActs} acts; the record is in ${folder}`,
  )
  const commit = commitHere()
  const began = performance.now()
  const figures = await proof.run({ seed, count, duration, leastActs, from, folder, say })
  const seconds = Math.round((performance.now() - began) / 1_000)
  print(name, figures, seconds)
  const holds = figures.violations.length === 0
  if (holds && options.folder === undefined) rmSync(folder, { recursive: true })
  else say(`the client's record is in ${folder}`)
  if (options.record) recordRun({ ...options, ...figures, commit, seconds, machine: machine() })
  return holds ? 0 : 1
}

function makeFolder(given: string | undefined): string {
  // Beside the temporary folder of this process, which is removed at its end.
  const folder = given === undefined ? mkdtempSync(join(dirname(tmpdir()), 'ingot-prove-')) : resolve(given)
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0) throw new BadOption(`--folder takes an empty folder: ${folder} is not`)
  // It holds PINs of the sandbox and the partner's acts.
  chmodSync(folder, 0o700)
  return folder
}

function print(name: string, figures: Figures, seconds: number): void {
  const { acts, unknown, faults, violations, longestOutageMs, notes = [] } = figures
  const lines = [
    `${name}: ${faults} faults in ${seconds} s; ${acts} acts acknowledged, ${unknown} unknown`,
    `longest outage ${(longestOutageMs / 1_000).toFixed(1)} s`,
    ...notes,
    `${violations.length} violations${violations.length === 0 ? '' : ':'}`,
    ...violations.slice(0, 50).map((text) => `  ${text}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
