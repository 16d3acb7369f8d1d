import { resolve } from 'node:path'
import { outsideOf } from '#app/audit/anchor-file.ts'
import { checkFolder, contains } from '#app/backup/backup-folder.ts'
import { chooseBackup, refuseUnusable } from '#app/backup/choose-backup.ts'
import { BackupError, DamagedBackup } from '#app/backup/error.ts'
import { readKeyFile } from '#app/backup/key-file.ts'
import { countNeeded } from '#app/backup/log-range.ts'
import { bytesOf } from '#app/backup/manifest.ts'
import { megabytes, showProgress } from '#app/backup/progress.ts'
import { restoreFiles } from '#app/backup/restore.ts'
import { refuseUsedTarget } from '#app/backup/restore-marker.ts'
import type { BackupKey } from '#app/backup/sealed-format.ts'
import { refuseOwnDatabase } from '#app/backup/source.ts'
import { checkBackup, type Listed, listBackups } from '#app/backup/verify.ts'
import { currentActor, type OwnCommand, type OwnContext, text } from '#app/command.ts'
import { schemaVersion } from '#app/database/migration-files.ts'
import { keyRingStore } from '#app/keys/key-ring-file.ts'
import type { MoveState } from '#app/move/state.ts'
import { openRestored, undoMove } from '#app/move/undo.ts'
import { openRuntime, type Runtime } from '#app/runtime.ts'
import type { Config } from '#app/settings/config.ts'
import { UsageError } from '#app/usage-error.ts'
import { recordRestoration } from '#flows/restoration/record-restoration.ts'
import { verifyRestored } from '#jobs/examine-restorations.ts'

export const restore: OwnCommand = {
  usage:
    'restore --from DIR --key FILE [--time T] [--backup ID]\n' +
    'DATA_DIR has to be empty. T is a moment of real time, such as 2026-11-16T09:00:00Z or 2026-11-16T18:00:00+09:00:\n' +
    'everything that was committed up to and at T is restored. Without --time: everything that is in the archive.\n' +
    '--backup ID restores from that full copy: see `ingot backup list`.',
  summary: 'restore the embedded database from a backup, into an empty DATA_DIR',
  positionals: [],
  options: {
    from: { type: 'string' },
    key: { type: 'string' },
    time: { type: 'string' },
    backup: { type: 'string' },
  },
  async runAlone(context) {
    const { config, options } = context
    refuseOwnDatabase(config, 'restore')
    const [from, keyFile] = [text(options, 'from'), text(options, 'key')]
    if (!from || !keyFile) throw new UsageError('--from DIR and --key FILE say which backups')
    const time = readTime(text(options, 'time'))
    const [dir, key] = [resolve(from), readKeyFile(resolve(keyFile))]
    if (contains(config.dataDir, dir)) throw new BackupError(`${dir} is inside DATA_DIR (${config.dataDir})`)
    checkFolder(dir)
    refuseUsedTarget(config.dataDir)
    const { listed, damaged } = await listBackups(dir, key)
    for (const { reason } of damaged) process.stderr.write(`left out: ${reason}\n`)
    const chosen = chooseBackup(listed, { time, id: text(options, 'backup') })
    refuseUnusable(chosen.manifest, config, { schema: schemaVersion(), keyRing: givenRing(config) })
    const { dataDir } = config
    const needed = await check(dir, key, chosen, time)
    const files = showProgress('restoring')
    const log = showProgress('recovering')
    const task = { dataDir, dir, key, chosen, needed, time, onFiles: files.on, onLog: log.on }
    await restoreFiles(task, () => record(context, time))
    for (const progress of [files, log]) progress.end()
    return resultOf(chosen, time, dataDir)
  },
}

// Everything that the restore reads, before it writes anything.
async function check(
  dir: string,
  key: BackupKey,
  chosen: Listed,
  time: Temporal.Instant | undefined,
): Promise<number> {
  const { manifest, range } = chosen
  const needed = time ? await countNeeded(dir, manifest, range, key, time) : range.segments.length
  const progress = showProgress('checking')
  try {
    await checkBackup(dir, chosen, key, progress.on, needed)
  } catch (error) {
    if (!(error instanceof DamagedBackup)) throw error
    const others = 'another copy may reach as far: see `ingot backup list`, and name it with --backup ID'
    throw new DamagedBackup(`${error.message}. Nothing was touched; ${others}`, { cause: error })
  }
  progress.end()
  return needed
}

// PostgreSQL counts in microseconds.
function readTime(typed: string | undefined): Temporal.Instant | undefined {
  if (typed === undefined) return undefined
  try {
    return Temporal.Instant.from(typed).round({ smallestUnit: 'microsecond', roundingMode: 'floor' })
  } catch {
    throw new UsageError(
      '--time takes a moment with its zone: 2026-11-16T09:00:00Z or 2026-11-16T18:00:00+09:00',
    )
  }
}

// A sandbox's own ring is in the backup. A ring that the operator holds is compared before anything is written.
function givenRing(config: Config): string | undefined {
  if (config.keyRingFile === undefined && config.mode === 'sandbox') return undefined
  return keyRingStore(config, '').read().fingerprint
}

// Before the service can open: what was under way then is not certain any more (docs/after-a-restore.md).
async function record({ config, log }: OwnContext, time: Temporal.Instant | undefined): Promise<void> {
  const runtime = await openRuntime(config, log, { restoring: true, evenIfMoved: true })
  try {
    const move = await openRestored(runtime)
    const outcome = await recordRestoration(runtime.database, {
      to: time,
      actor: currentActor(),
      anew: true,
      signer: runtime.keys.vault(),
    })
    if (outcome.kind === 'refused') throw new BackupError(`--time is in the future: it is ${outcome.now}`)
    if (move) await settleMove(runtime, move)
    process.stderr.write('checking every invariant\n')
    // Broken books are no reason to throw the folder away: the service says so, and is not ready.
    await verifyRestored({ ...runtime, outside: () => outsideOf(config.dataDir) }, outcome.restoration)
  } finally {
    await runtime.close()
  }
}

// The backup ends in a move. One that had ended stays: the installation is at the target, and two places must never serve it.
async function settleMove(runtime: Runtime, { state, target }: MoveState): Promise<void> {
  if (state !== 'moved') await undoMove(runtime, currentActor())
  process.stderr.write(
    state === 'moved'
      ? `this installation had been moved to ${target}: the service opens here only after \`ingot move --undo\`\n`
      : `a move to ${target} was under way: it is undone here, and writes are open again. Remove what was copied there\n`,
  )
}

const ADOPT =
  'Its worker sends nothing until you have made sure that the original is stopped for good, and run `ingot adopt`. '

function resultOf({ manifest, range }: Listed, time: Temporal.Instant | undefined, dataDir: string) {
  const to = time?.toString() ?? range.until
  return {
    json: { backup: manifest.id, restoredTo: time?.toString() ?? null, until: range.until, dataDir },
    text:
      `${dataDir} holds the backup ${manifest.id} (${megabytes(bytesOf(manifest))}), ` +
      `${time ? `as it was at ${to}` : `up to the end of its archive (${to} or later)`}. ` +
      (manifest.installation.mode === 'live' ? ADOPT : '') +
      'Start the service, see `ingot restored report`, and set up backups again: `ingot backup --to DIR --key FILE`',
  }
}
