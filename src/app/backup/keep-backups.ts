import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client, type ClientBase, type PoolConfig } from 'pg'
import { findOwnLocation } from '#app/embedded-postgres/folder.ts'
import { LOCKS } from '#base/db/locks.ts'
import { freeBytesAt } from '#base/disk.ts'
import type { Explained } from '#base/explained.ts'
import type { Log } from '#base/log.ts'
import { ROOT } from '#base/root.ts'
import { LogArchiver } from './archive-log.ts'
import { dropSlot, findSlot } from './chain.ts'
import { BackupError } from './error.ts'
import { readKeyFile } from './key-file.ts'
import { type ArchiveStatus, type BackupPlan, readPlan, readStatus, writeStatus } from './plan.ts'
import { crowdsDisk } from './room.ts'
import { beginningOf, explainSpace } from './take-backup.ts'
import { removePartialSegments } from './wal-segment.ts'

const POLL_MS = 1_000
const RETRY_MAX_MS = 30_000
// The longest that a stop waits for the last segment.
const LAST_MS = 5_000
const FULL_EVERY_HOURS = 24
const FULL_RETRY_MS = 60 * 60_000
const MAIN = fileURLToPath(new URL('src/main.js', ROOT))

export interface Backups {
  stop(): Promise<void>
}

interface Given {
  readonly dataDir: string
  readonly connection: PoolConfig
  readonly log: Log
  /** False while this folder may be a copy of another. */
  readonly mayArchive: () => boolean
  readonly freeAt?: (folder: string) => number
}

/** The worker's part in backups: archives the log all the time, and has a full copy made every day. */
export function startBackups(given: Given): Backups {
  const stopping = new AbortController()
  const keeper = new BackupKeeper(given, stopping.signal)
  const ended = keeper.run()
  return {
    async stop() {
      stopping.abort()
      await ended
    },
  }
}

class BackupKeeper {
  readonly #given: Given
  readonly #signal: AbortSignal
  #client: Client | undefined
  #archiver: { readonly chain: string; readonly log: LogArchiver } | undefined
  #told = ''
  #fullTriedAt = Number.NEGATIVE_INFINITY
  #full: Promise<void> | undefined

  constructor(given: Given, signal: AbortSignal) {
    this.#given = given
    this.#signal = signal
  }

  async run(): Promise<void> {
    let pauseMs = POLL_MS
    while (!this.#signal.aborted) {
      const ok = await this.#round(false)
      pauseMs = ok ? POLL_MS : Math.min(pauseMs * 2, RETRY_MAX_MS)
      await sleep(pauseMs, undefined, { signal: this.#signal }).catch(() => {})
    }
    // What was written last is safe too, if that takes no longer than a stop may.
    const isDone = await Promise.race([this.#round(true), sleep(LAST_MS, false, { ref: false })])
    if (!isDone) this.#given.log.warn('the end of the log was not archived')
    await this.#full
    await this.#disconnect()
  }

  async #round(last: boolean): Promise<boolean> {
    let plan: BackupPlan | undefined
    try {
      plan = this.#given.mayArchive() ? readPlan(this.#given.dataDir) : undefined
      if (!plan?.chain) return true
      await this.#archive({ ...plan, chain: plan.chain }, last)
      return true
    } catch (error) {
      if (plan?.chain) await this.#spareDisk(plan.chain).catch(() => {})
      await this.#disconnect()
      if (!last) this.#fail(explainSpace(error, plan?.dir ?? ''))
      return false
    } finally {
      if (plan && !last) this.#makeFullIfDue(plan)
    }
  }

  async #archive(plan: BackupPlan & { chain: string }, last: boolean): Promise<void> {
    const client = await this.#connect()
    if (!client) return // another worker does it
    if (this.#archiver?.chain !== plan.chain) {
      // Before what fails with the archive's folder or key.
      if (!(await findSlot(client, plan.chain))) return this.#giveUp(plan.chain)
      const key = readKeyFile(plan.keyFile)
      const { cluster } = findOwnLocation(this.#given.dataDir)!
      const systemId = await readSystemId(client)
      removePartialSegments(plan.dir, plan.chain)
      const { dir, place, chain } = plan
      const target = { cluster, systemId, dir, place, chain, key }
      this.#archiver = { chain: plan.chain, log: new LogArchiver(target) }
    }
    const step = await this.#archiver.log.step(client, { finish: last })
    if (step.kind === 'broken') return this.#giveUp(plan.chain)
    // An archiver that was just started cannot tell yet. What was known before still holds.
    const archivedUntil = step.until ?? readStatus(this.#given.dataDir)?.archivedUntil ?? null
    this.#write({ archivedUntil, failingSince: null, reason: null, givenUp: false })
    if (this.#told) this.#given.log.info('the archive works again')
    this.#told = ''
  }

  // The log no longer waits for an archive that fails, before its disk is full. The next round then gives the chain up.
  async #spareDisk(chain: string): Promise<void> {
    const { dataDir, freeAt = freeBytesAt } = this.#given
    const slot = this.#client && (await findSlot(this.#client, chain))
    if (!slot || !crowdsDisk(slot.held, freeAt(findOwnLocation(dataDir)!.cluster))) return
    await dropSlot(this.#client!, chain)
  }

  #giveUp(chain: string): void {
    // A new copy has begun another chain since this round read the plan.
    if (readPlan(this.#given.dataDir)?.chain !== chain) return
    const reason =
      'so much of the log waited for the archive that it was given up, to keep the disk of the database from filling. What ' +
      'was written since is in no backup until the next full copy'
    this.#fail(new BackupError(reason), true)
  }

  // Logged once for each reason: the metric and the alert go on.
  #fail(error: unknown, givenUp = false): void {
    const explained = error instanceof BackupError || (error as Explained)?.name === 'EmbeddedPostgresError'
    const reason = explained ? (error as Error).message : ((error as { code?: string }).code ?? 'failed')
    const now = Temporal.Now.instant().toString()
    const before = readStatus(this.#given.dataDir)
    this.#write({
      archivedUntil: before?.archivedUntil ?? null,
      failingSince: before?.failingSince ?? now,
      reason,
      givenUp,
    })
    if (reason !== this.#told) this.#given.log.error('the archive of backups fails', { reason })
    this.#told = reason
  }

  #write(status: ArchiveStatus): void {
    const { dataDir } = this.#given
    try {
      if (JSON.stringify(status) !== JSON.stringify(readStatus(dataDir))) writeStatus(dataDir, status)
    } catch {} // a full disk: the age of the archive tells
  }

  // In a process of its own, with a low priority, so that neither its work nor its failure reaches ours.
  #makeFullIfDue({ last }: BackupPlan): void {
    if (this.#full || performance.now() - this.#fullTriedAt < FULL_RETRY_MS) return
    // Somebody is making the first one just now, as a rule.
    if (!last && this.#fullTriedAt === Number.NEGATIVE_INFINITY) {
      this.#fullTriedAt = performance.now()
      return
    }
    const { dataDir } = this.#given
    const isBroken = readStatus(dataDir)?.givenUp === true
    if (last && !isBroken && !isFullDue(last, secretsChangedMs(dataDir))) return
    this.#fullTriedAt = performance.now()
    this.#full = this.#makeFull().finally(() => {
      this.#full = undefined
    })
  }

  async #makeFull(): Promise<void> {
    const { log } = this.#given
    const child = spawn(process.execPath, [MAIN, 'backup', '--json'], { stdio: ['ignore', 'pipe', 'pipe'] })
    const stop = () => child.kill('SIGTERM')
    this.#signal.addEventListener('abort', stop)
    try {
      const [answer, said, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ])
      if (code === 0) this.#tellMade(JSON.parse(answer))
      else if (!this.#signal.aborted)
        log.error('the daily backup failed', { reason: reasonOf(said) ?? `code ${code}` })
    } catch (error) {
      log.error('the daily backup failed', { reason: (error as Error).message })
    } finally {
      this.#signal.removeEventListener('abort', stop)
    }
  }

  #tellMade({ unreadable }: { unreadable: readonly string[] }): void {
    const { log } = this.#given
    log.info('a full backup was made')
    if (unreadable.length === 0) return
    const reason = `${unreadable.join(', ')} cannot be read: see \`ingot backup verify\`, and move what is damaged away`
    log.error('old backups are not removed', { reason })
  }

  async #connect(): Promise<ClientBase | undefined> {
    if (this.#client) return this.#client
    const { connection } = this.#given
    const client = new Client({ ...connection, application_name: 'ingot archive' })
    client.on('error', () => {}) // the next query fails
    try {
      await client.connect()
      await connection.onConnect?.(client)
      const { rows } = await client.query(`select pg_try_advisory_lock(${LOCKS.archiver}) as mine`)
      if (rows[0].mine) {
        this.#client = client
        return client
      }
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    await client.end().catch(() => {})
    return undefined
  }

  async #disconnect(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    this.#archiver = undefined
    await client?.end().catch(() => {})
  }
}

async function readSystemId(client: ClientBase): Promise<string> {
  const { rows } = await client.query('select system_identifier::text as id from pg_control_system()')
  return rows[0].id
}

// The last line that the command said: its refusal, for machines.
function reasonOf(said: string): string | undefined {
  const last = said.trim().split('\n').at(-1)
  try {
    return JSON.parse(last ?? '').error
  } catch {
    return last || undefined
  }
}

function secretsChangedMs(dataDir: string): number {
  return statSync(join(dataDir, 'secrets.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/**
 * Whether the last full copy is too old. One from the future was made while the clock ran ahead, and its age is not known. A
 * sandbox's own key ring is in full copies only: what is written under a new key could not be read after a restore.
 */
export function isFullDue(last: { id: string; endedAt: string }, secretsMs: number): boolean {
  const hours = hoursSince(last.endedAt)
  return hours < 0 || hours >= FULL_EVERY_HOURS || secretsMs > beginningOf(last.id).epochMilliseconds
}

function hoursSince(moment: string): number {
  return Temporal.Instant.from(moment).until(Temporal.Now.instant()).total('hours')
}
