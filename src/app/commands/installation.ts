import { outsideOf } from '#app/audit/anchor-file.ts'
import type { Command } from '#app/command.ts'
import { orRefuse, Refused } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Reader } from '#base/db/db.ts'
import { areWritesStopped } from '#base/db/errors.ts'
import type { CheckResult } from '#flows/books/judge.ts'
import { type Checkpoint, type NoCheckpoint, readCheckpoint } from '#flows/books/since/checkpoint.ts'
import { verifySince } from '#flows/books/since/verify-since.ts'
import { recordVerification, verifyBooks } from '#flows/books/verify-books.ts'
import { advanceClock, type ClockRefusal } from '#flows/installation/advance-clock.ts'
import { recordAdoption } from '#flows/installation/record-adoption.ts'

// Opening the runtime has migrated already: saying so is all that is left.
export const migrateCommand: Command = {
  usage: 'migrate',
  summary: 'bring the database up to this release',
  positionals: [],
  options: {},
  async run({ runtime: { schema } }) {
    const { version, isNewer } = schema
    const rest = isNewer ? ' of a newer release, which this one can serve: nothing was changed' : ''
    return { json: { schema: version, newer: isNewer }, text: `the database has schema ${version}${rest}` }
  },
}

const SHOWN_MS = 2_000 // small books are verified before anyone wonders

export const verify: Command = {
  usage:
    'verify [--skip-sealed | --since-last | --check NAME]\n' +
    'With --skip-sealed no PIN is opened, and the run does not count for ingot_verify_ok. With --since-last only what has happened\n' +
    'since the last good run is checked: a rewritten balance or row from before is found by a whole run. With --check only that\n' +
    'check is made, and the run does not count either.',
  summary: 'check every invariant of the books; exit 0 only if all hold',
  positionals: [],
  options: {
    'skip-sealed': { type: 'boolean' },
    'since-last': { type: 'boolean' },
    check: { type: 'string' },
  },
  async run({ runtime, options }) {
    const skipSealed = options['skip-sealed'] === true
    const only = options.check as string | undefined
    if (skipSealed && options['since-last'] === true)
      throw new UsageError('--since-last opens no PINs: leave --skip-sealed away')
    if (only !== undefined && (skipSealed || options['since-last'] === true))
      throw new UsageError(
        '--check makes one check of a whole run: leave --skip-sealed and --since-last away',
      )
    let shownAt = performance.now()
    const onCheck = (check: string) => {
      if (performance.now() - shownAt < SHOWN_MS) return
      shownAt = performance.now()
      process.stderr.write(`checking ${check}\n`)
    }
    const { database, keys, config } = runtime
    const vault = keys.vault()
    const outside = outsideOf(config.dataDir)
    const since = options['since-last'] === true ? await checkpointOf(database, vault) : undefined
    const began = performance.now()
    const results = since
      ? await verifySince(database, vault, since, { onCheck, outside })
      : await verifyBooks(database, vault, { onCheck, skipSealed, only, outside })
    const run = { signer: vault, seconds: (performance.now() - began) / 1_000, since }
    if (results.length === 0) throw new UsageError(`there is no check ${only}: ingot verify names them all`)
    // A run that left something out clears no alarm that the metric feeds.
    if (!skipSealed && only === undefined) await recordVerification(database, results, run).catch(passStopped)
    const ok = results.every((result) => result.broken === 0)
    const checks = results.map(({ reached: _, ...result }) => result)
    const lines = [...results.map(lineOf), ...(since ? [sinceText(since)] : [])]
    return {
      json: { ok, ...(since && { since: sinceJson(since) }), checks },
      text: lines.join('\n'),
      failed: !ok,
    }
  },
}

const NO_CHECKPOINT: Record<NoCheckpoint, string> = {
  none: 'there is no good whole run to go on from: run ingot verify',
  broken: 'the last run found mistakes, and only a whole one can clear them: run ingot verify',
  forged: 'the checkpoint of the last run was not signed with this key ring: run ingot verify',
}

async function checkpointOf(database: Reader, vault: Vault): Promise<Checkpoint> {
  const { checkpoint } = await readCheckpoint(database, vault)
  if (typeof checkpoint === 'string') throw new Refused(NO_CHECKPOINT[checkpoint])
  return checkpoint
}

const sinceJson = ({ at, wholeAt, head }: Checkpoint) => ({
  at,
  wholeAt,
  afterTransfer: Number(head.throughId),
})

function sinceText({ at, wholeAt, head }: Checkpoint): string {
  return (
    `note    covers what follows transfer ${head.throughId}, by the run of ${at}, and every table that does not grow with transfers.\n` +
    `note    not covered: rows, balances of untouched members and PINs from before. The last whole run was at ${wholeAt}`
  )
}

// While the installation is being moved the result is shown, and not kept.
function passStopped(error: unknown): void {
  if (!areWritesStopped(error)) throw error
}

function lineOf({ check, broken, examples, leftOut }: CheckResult): string {
  if (leftOut) return `skipped ${check} (a newer release serves this database and judges it)`
  return broken === 0 ? `ok      ${check}` : `BROKEN  ${check}: ${broken}, such as ${examples.join(', ')}`
}

export const adopt: Command = {
  usage: 'adopt',
  summary: 'declare a copied or moved DATA_DIR the original, so that its worker begins to send',
  positionals: [],
  options: {},
  async run({ runtime, actor }) {
    const { config, adoption, database } = runtime
    if (!adoption) throw new Refused('DATABASE_URL is set: there is no folder to adopt')
    const adopted = adoption.isAwaited()
    if (adopted) {
      // First the entry: cut off in between, the folder still waits, and the next call makes another.
      await recordAdoption(database, { folder: config.dataDir, actor })
      await adoption.adopt()
    }
    const text = adopted
      ? `${config.dataDir} is the one that counts: a running worker begins within seconds. No other copy of it may run in live`
      : `${config.dataDir} was not copied or moved since it was last used: nothing to do`
    return { json: { adopted }, text }
  },
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 }

export function clockWords(refusal: ClockRefusal): string {
  switch (refusal.reason) {
    case 'not_forward':
      return 'the clock only goes forward'
    case 'too_far':
      return `the clock cannot be set to ${refusal.year} or later: it never goes back`
    case 'sandbox_only':
      return 'the clock can be advanced in a sandbox only'
  }
}

export const clockAdvance: Command = {
  usage: 'clock advance DURATION   (90s, 61m, 25h, 366d)',
  summary: "move the sandbox's clock forward",
  positionals: ['duration'],
  options: {},
  async run({ runtime, args, actor }) {
    const match = /^(\d{1,10})([smhd])$/.exec(args.duration!)
    if (!match) throw new UsageError('a duration is a number and s, m, h or d: 61m')
    const seconds = Number(match[1]) * SECONDS[match[2]!]!
    const { now } = orRefuse(await advanceClock(runtime.database, { seconds, actor }), clockWords)
    return { json: { now: now.toString() }, text: `the service's clock now reads ${now}` }
  },
}
