import { getPriority } from 'node:os'
import { resolve } from 'node:path'
import { auditAct } from '#app/backup/audit-act.ts'
import { dropSlots } from '#app/backup/chain.ts'
import { DamagedBackup } from '#app/backup/error.ts'
import { makeKeyFile, readKeyFile } from '#app/backup/key-file.ts'
import { bytesOf } from '#app/backup/manifest.ts'
import { knownPlan, readPlan, readStatus, removePlan } from '#app/backup/plan.ts'
import { megabytes, showProgress } from '#app/backup/progress.ts'
import type { Pruned } from '#app/backup/prune.ts'
import { runBackup, type Wish } from '#app/backup/run-backup.ts'
import type { BackupKey } from '#app/backup/sealed-format.ts'
import { openSource, refuseOwnDatabase, withClient } from '#app/backup/source.ts'
import { checkBackup, type Listed, listBackups } from '#app/backup/verify.ts'
import { type CommandContext, integer, type OwnCommand, table, text } from '#app/command.ts'
import { UsageError } from '#app/usage-error.ts'
import { setPriorityOfAllThreads } from '#base/priority.ts'

const KEEP = 7
const KEEP_MAX = 10_000
// Beside a full machine it gets a few per cent of a core, and all of an idle one.
const LOW_PRIORITY = 15

type Options = CommandContext['options']

const PLACE = { to: { type: 'string' }, from: { type: 'string' }, key: { type: 'string' } } as const

export const backup: OwnCommand = {
  usage:
    'backup [--to DIR --key FILE] [--keep N] [--once]\n' +
    'From then on the service archives what is written, and makes a copy every day. Without --to: one more copy to the same\n' +
    `folder. --keep N full copies (${KEEP}). --once makes a copy that stands alone, with no archive after it.`,
  summary: 'back up the embedded database, while the service runs or not',
  positionals: [],
  options: { to: PLACE.to, key: PLACE.key, keep: { type: 'string' }, once: { type: 'boolean' } },
  async runAlone({ config, options, actor }) {
    refuseOwnDatabase(config, 'backup')
    const wish = readWish(options, config.dataDir)
    readKeyFile(wish.keyFile) // before PostgreSQL is started
    const source = await openSource(config)
    const progress = showProgress('backing up')
    try {
      // First the entry: no copy is made that the log does not know.
      const before = { dir: knownPlan(config.dataDir)?.dir ?? null }
      await auditAct(source, { action: 'backup.make', actor, before, after: { dir: wish.dir } })
      const { manifest, sealedBytes, pruned } = await givingWay(() => runBackup(source, wish, progress.on))
      const { id, endedAt, files, chain } = manifest
      progress.end()
      const rest = wish.once ? 'It stands alone: nothing is archived after it.' : archiveWords(pruned)
      return {
        json: {
          id,
          endedAt,
          files: files.length,
          bytes: bytesOf(manifest),
          sealedBytes,
          chain,
          removed: pruned.backups,
          unreadable: pruned.unreadable,
        },
        text: `backup ${id}: ${megabytes(bytesOf(manifest))} in ${files.length} files, sealed ${megabytes(sealedBytes)}. ${rest}`,
      }
    } finally {
      await source.embedded.leave()
    }
  },
}

function archiveWords({ backups, unreadable }: Pruned): string {
  const removed = backups.length
  const older = removed === 0 ? '' : ` ${removed} older one${removed === 1 ? ' was' : 's were'} removed.`
  if (unreadable.length > 0)
    return `The service's worker archives from here on. NOTHING OLD IS REMOVED: ${unreadable.join(', ')} cannot be read.`
  return `The service's worker archives from here on.${older}`
}

function readWish(options: Options, dataDir: string): Wish {
  const [to, keyFile] = [text(options, 'to'), text(options, 'key')]
  const keep = integer(options, 'keep')
  if (keep !== undefined && (keep < 1 || keep > KEEP_MAX)) throw new UsageError(`--keep is 1 to ${KEEP_MAX}`)
  const once = options.once === true
  const plan = to !== undefined && keyFile !== undefined ? undefined : readPlan(dataDir)
  const dir = to === undefined ? plan?.dir : resolve(to)
  const key = keyFile === undefined ? plan?.keyFile : resolve(keyFile)
  if (!dir || !key) {
    throw new UsageError(
      '--to DIR and --key FILE say where to and sealed by what; `ingot backup key FILE` makes a key',
    )
  }
  return { dir, keyFile: key, keep: keep ?? plan?.keep ?? KEEP, asPlanned: to === undefined, once }
}

// Purchases go first: a backup may take longer. A group of commands in one process (a test) gets its priority back.
async function givingWay<T>(work: () => Promise<T>): Promise<T> {
  const before = getPriority()
  setPriorityOfAllThreads(LOW_PRIORITY)
  try {
    return await work()
  } finally {
    setPriorityOfAllThreads(before)
  }
}

export const backupKey: OwnCommand = {
  usage: 'backup key FILE',
  summary: 'make a key for backups; without it no backup can be read',
  positionals: ['file'],
  options: {},
  async runAlone({ args }) {
    const file = resolve(args.file!)
    const { id } = makeKeyFile(file)
    return {
      json: { file, id },
      text: `${file} holds a new backup key (${id}). Without it no backup can be read: keep copies, apart from the backups.`,
    }
  },
}

function readPlace(options: Options, dataDir: string): { dir: string; keyFile: string } {
  const given = text(options, 'from') ?? text(options, 'to')
  const keyFile = text(options, 'key')
  const plan = given !== undefined && keyFile !== undefined ? undefined : readPlan(dataDir)
  const dir = given === undefined ? plan?.dir : resolve(given)
  const key = keyFile === undefined ? plan?.keyFile : resolve(keyFile)
  if (!dir || !key) throw new UsageError('--from DIR and --key FILE say which backups')
  return { dir, keyFile: key }
}

export const backupVerify: OwnCommand = {
  usage: 'backup verify [--from DIR --key FILE]\n--to means the same as --from.',
  summary: 'read every backup and its log from the first byte to the last, and say what can be restored',
  positionals: [],
  options: PLACE,
  async runAlone({ config, options }) {
    const { dir, keyFile } = readPlace(options, config.dataDir)
    const key = readKeyFile(keyFile)
    const { listed, damaged } = await listBackups(dir, key)
    const reasons = damaged.map(({ reason }) => reason)
    for (const one of listed) {
      const progress = showProgress(`checking ${one.manifest.id}`)
      reasons.push(...(await givingWay(() => damageOf(dir, one, key, progress.on))))
      progress.end()
    }
    const ok = reasons.length === 0
    const words = ok
      ? 'every byte was read: all are whole'
      : `DAMAGED:\n${reasons.join('\n')}\nThe others can be restored. Make a new backup, and move what is damaged away.`
    return {
      json: { ok, backups: listed.map(toJson), damaged: reasons },
      text: `${toTable(listed)}\n${words}`,
      failed: !ok,
    }
  },
}

async function damageOf(
  dir: string,
  one: Listed,
  key: BackupKey,
  onProgress: (done: number, total: number) => void,
): Promise<string[]> {
  const { manifest, range } = one
  const gap =
    range.gapAfter === null ? [] : [`${manifest.id}: the log is missing or damaged after ${range.gapAfter}`]
  try {
    await checkBackup(dir, one, key, onProgress)
    return gap
  } catch (error) {
    if (!(error instanceof DamagedBackup)) throw error
    return [`${manifest.id}: ${error.message}`, ...gap]
  }
}

export const backupList: OwnCommand = {
  usage: 'backup list [--from DIR --key FILE]',
  summary: 'list the backups, what they can be restored to, and whether the archive works',
  positionals: [],
  options: { from: PLACE.from, key: PLACE.key },
  async runAlone({ config, options }) {
    const { dir, keyFile } = readPlace(options, config.dataDir)
    const { listed, damaged } = await listBackups(dir, readKeyFile(keyFile))
    const status = config.databaseUrl === undefined ? readStatus(config.dataDir) : undefined
    const trouble = status?.reason ? `\nTHE ARCHIVE FAILS since ${status.failingSince}: ${status.reason}` : ''
    const unreadable = damaged.map(({ id, reason }) => `\nDAMAGED: ${id}: ${reason}`).join('')
    return {
      json: { backups: listed.map(toJson), damaged, archive: status ?? null },
      text: toTable(listed) + unreadable + trouble,
    }
  },
}

function toJson({ manifest, range }: Listed) {
  const { id, installation, schema, release, postgresMajor, timeline, startLsn, stopLsn, chain } = manifest
  const about = {
    id,
    mode: installation.mode,
    schema,
    release,
    postgresMajor,
    timeline,
    startLsn,
    stopLsn,
    chain,
  }
  return {
    ...about,
    bytes: bytesOf(manifest),
    from: range.from,
    until: range.until,
    gapAfter: range.gapAfter,
  }
}

function toTable(listed: readonly Listed[]): string {
  const rows = listed.map(({ manifest, range }) => [
    manifest.id,
    megabytes(bytesOf(manifest)),
    range.from,
    range.until,
    range.gapAfter ? `the log is missing or damaged after ${range.gapAfter}` : '',
  ])
  return table(['backup', 'size', 'restores from', 'to', ''], rows)
}

export const backupStop: OwnCommand = {
  usage: 'backup stop',
  summary: 'end the archive and the daily copies; what is there stays',
  positionals: [],
  options: {},
  async runAlone({ config, actor }) {
    const source = await openSource(config)
    try {
      const before = { dir: knownPlan(config.dataDir)?.dir ?? null }
      await auditAct(source, { action: 'backup.stop', actor, before, after: { dir: null } })
      removePlan(config.dataDir)
      await withClient(source.embedded, (client) => dropSlots(client, null))
    } finally {
      await source.embedded.leave()
    }
    return {
      json: { stopped: true },
      text: 'nothing is archived any more. The backups that were made stay where they are',
    }
  },
}
