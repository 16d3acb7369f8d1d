import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { ClusterLocation } from './cluster-location.ts'
import { EmbeddedPostgresError } from './error.ts'
import { refuseHiddenSocket } from './hidden-socket.ts'
import type { Launch } from './launch.ts'
import { type Connection, connectionOf, openMemberConnection } from './member-connection.ts'
import { findPostmaster, type Postmaster, signalPostmaster, startIdOf, stopPostmaster } from './postmaster.ts'
import { answersInside, socketDirInside, trustedSocketDir } from './socket-dir.ts'
import { startPostgres } from './start.ts'
import type { EmbeddedOptions } from './types.ts'

const POLL_MS = 20
const RETRY_PAUSE_MS = 100
// The backends of a killed postmaster end by themselves, usually within a second.
const RETRY_MS = 10_000
const IN_USE = /pre-existing shared memory block|lock file "[^"]*" (already exists|is empty)/
// How long a server may be ready with no socket, or refuse to finish stopping, before we step in.
const PATIENCE_MS = 3_000
const DEADLINES_MS = {
  absent: 60_000,
  starting: 10 * 60_000, // crash recovery replays max_wal_size (4 GB) and more, and must not be interrupted
  ready: 60_000,
  stopping: 90_000,
}

export interface Running {
  readonly client: Client
  readonly connection: Connection
  /** Which start of the server this is. */
  readonly startId: string | null
  readonly started: boolean
}

/** Joins the PostgreSQL of this location, or starts it, whatever state it is in. Call it under the lock. */
export async function bringUp(
  location: ClusterLocation,
  options: Pick<EmbeddedOptions, 'password' | 'startsServer' | 'onLaunch'>,
  signal?: AbortSignal,
): Promise<Running> {
  const task = new BringUp(location, options, signal)
  for (;;) {
    const running = await task.step()
    if (running) return running
    await sleep(POLL_MS)
  }
}

class BringUp {
  readonly #location: ClusterLocation
  readonly #password: string
  readonly #startsServer: boolean
  readonly #onLaunch: (() => void) | undefined
  readonly #signal: AbortSignal | undefined
  #launch: Launch | undefined
  #launches = 0
  #refusedSince: number | undefined
  #phase: keyof typeof DEADLINES_MS = 'absent'
  #phaseSince = performance.now()
  #waitingFor = ''

  constructor(
    location: ClusterLocation,
    {
      password,
      startsServer = true,
      onLaunch,
    }: Pick<EmbeddedOptions, 'password' | 'startsServer' | 'onLaunch'>,
    signal: AbortSignal | undefined,
  ) {
    this.#location = location
    this.#password = password
    this.#startsServer = startsServer
    this.#onLaunch = onLaunch
    this.#signal = signal
  }

  async step(): Promise<Running | undefined> {
    const seen = findPostmaster(this.#location)
    const unseen = seen ? undefined : await this.#joinUnseen()
    this.#enterPhase(seen?.status ?? (unseen ? 'starting' : 'absent'))
    if (unseen) return unseen === 'not ready' ? undefined : unseen
    if (!seen) await this.#start()
    else if (seen.status === 'ready') return this.#connect(seen)
    // A smart shutdown, which someone else must have asked for, waits for every client.
    else if (seen.status === 'stopping' && this.#inPhaseMs() > PATIENCE_MS) {
      signalPostmaster(this.#location, seen.pid, 'SIGINT')
    }
    return undefined
  }

  #enterPhase(phase: keyof typeof DEADLINES_MS): void {
    if (phase !== this.#phase) {
      this.#phase = phase
      this.#phaseSince = performance.now()
      this.#waitingFor = `it is ${phase}`
    }
    if (this.#inPhaseMs() > DEADLINES_MS[phase]) throw this.#failure(this.#waitingFor)
  }

  #inPhaseMs(): number {
    return performance.now() - this.#phaseSince
  }

  async #start(): Promise<void> {
    if (!this.#startsServer) throw new EmbeddedPostgresError('PostgreSQL is not running yet')
    const ended = this.#launch?.ended()
    if (this.#launch && !ended) return // on its way, with no pid file yet
    if (ended) {
      this.#refusedSince ??= performance.now()
      const mayRetry = performance.now() - this.#refusedSince < RETRY_MS
      if (!mayRetry || !IN_USE.test(this.#launch?.logTail() ?? '')) throw this.#failure(ended)
      await sleep(RETRY_PAUSE_MS)
    }
    this.#signal?.throwIfAborted()
    this.#launch = await startPostgres(this.#location, this.#password, this.#launches)
    this.#launches += 1
    this.#onLaunch?.()
    this.#phaseSince = performance.now() // initdb may have taken long on a slow disk
  }

  /**
   * The server of another container, or one that is hidden from a unit of systemd. Its process cannot be seen, but it answers
   * in the data folder. A second server on the folder would destroy the database.
   */
  async #joinUnseen(): Promise<Running | 'not ready' | undefined> {
    if (this.#launch || !(await answersInside(this.#location))) return undefined
    const startId = startIdOf(this.#location)
    if (startId === null) return 'not ready' // it has only begun, and writes its id a moment later
    const connection = connectionOf(this.#location, socketDirInside(this.#location.home), this.#password)
    const connected = await openMemberConnection(this.#location, connection, startId)
    if (!('notReady' in connected)) return { client: connected, connection, startId, started: false }
    // Another folder's server, which has put its socket there, unless the id has changed meanwhile.
    if (connected.noSocket && startId === startIdOf(this.#location)) return undefined
    this.#waitingFor = connected.notReady
    return 'not ready'
  }

  async #connect(seen: Postmaster): Promise<Running | undefined> {
    const socketDir = trustedSocketDir(this.#location, seen.socketDir)
    if (socketDir) {
      const connection = connectionOf(this.#location, socketDir, this.#password)
      const startId = startIdOf(this.#location)
      const connected = await openMemberConnection(this.#location, connection, startId).catch(
        async (error) => {
          // A permanent refusal: stop the server that no process could join yet.
          if (this.#launch) await stopPostmaster(this.#location, seen.pid)
          throw error
        },
      )
      if (!('notReady' in connected)) {
        return { client: connected, connection, startId, started: this.#launch !== undefined }
      }
      this.#waitingFor = connected.notReady
      if (!connected.noSocket || this.#inPhaseMs() < PATIENCE_MS) return undefined
    }
    refuseHiddenSocket(this.#location, seen)
    // Its socket was removed or tampered with. No process can connect any more, so only a restart helps.
    await stopPostmaster(this.#location, seen.pid)
    this.#launch = undefined
    return undefined
  }

  #failure(reason: string): EmbeddedPostgresError {
    const tail = this.#launch?.logTail()
    return new EmbeddedPostgresError(
      `PostgreSQL did not start: ${reason}. Its log is ${this.#location.log}${tail ? `, and ends with:\n${tail}` : ''}`,
    )
  }
}
