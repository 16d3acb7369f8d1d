import { statSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { Unavailable } from '#base/db/errors.ts'
import { withFileLock } from '#base/file-lock.ts'
import { bringUp, type Running } from './bring-up.ts'
import { type ClusterLocation, hasCluster } from './cluster-location.ts'
import { asEmbeddedError, EmbeddedPostgresError, messageOf } from './error.ts'
import { adoptCluster, claimCluster, isAdopted } from './folder.ts'
import { isLogFull, rotateLog } from './launch.ts'
import { disconnect, refuseStranger, Stranger, socketPath } from './member-connection.ts'
import { settleLocation } from './placement.ts'
import { stopIfLast } from './stop-if-last.ts'
import type { CheckedConnection, EmbeddedOptions, EmbeddedPostgres } from './types.ts'

const BACKOFF_MIN_MS = 100
const BACKOFF_MAX_MS = 2_000
const CHECK_MS = 2_000

type Present = Running & { readonly location: ClusterLocation }

/** One process's part in a PostgreSQL that several may share: from entering, through its crashes, to leaving. */
export class Membership implements EmbeddedPostgres {
  readonly #options: EmbeddedOptions
  readonly #leaving = new AbortController()
  readonly #folder: string | undefined
  #present: Present
  #recovery: Promise<void> = Promise.resolve()
  #left: Promise<void> | undefined

  static async enter(options: EmbeddedOptions): Promise<Membership> {
    const present = await arrive(options)
    const member = new Membership(options, present)
    options.onEvent?.(present.started ? 'started' : 'joined')
    return member
  }
  #isAdopted = false

  private constructor(options: EmbeddedOptions, present: Present) {
    this.#options = options
    this.#present = present
    this.#folder = identify(options.dataDir)
    this.#watch(present)
  }

  get connection(): CheckedConnection {
    return { ...this.#present.connection, stream: this.#openStream, onConnect: this.#check }
  }

  // The driver asks for the path it was given at first; a server that was restarted may have another.
  readonly #openStream = (): Socket => {
    const socket = new Socket()
    const connect = socket.connect.bind(socket)
    socket.connect = () => connect(socketPath(this.#present.connection))
    return socket
  }

  readonly #check = async (client: ClientBase): Promise<void> => {
    const present = this.#present
    try {
      await refuseStranger(client, present.startId)
    } catch (error) {
      if (!(error instanceof Stranger)) throw error
      // Ours was restarted by another process this instant, or can no longer be reached: recovery tells which.
      await disconnect(present.client)
      throw new Unavailable(error.message, { cause: error })
    }
  }

  /** As far as it could be read. */
  isAdopted(): boolean {
    try {
      this.#isAdopted = isAdopted(this.#present.location)
    } catch {}
    return this.#isAdopted
  }

  adopt(): Promise<void> {
    return underLock(this.#options, undefined, async () => adoptCluster(this.#present.location))
  }

  leave(): Promise<void> {
    this.#left ??= this.#leave()
    return this.#left
  }

  async #leave(): Promise<void> {
    this.#leaving.abort()
    await this.#recovery
    const { location, client, connection } = this.#present
    try {
      const stopped = await underLock(this.#options, undefined, () =>
        stopIfLast(location, client, connection),
      )
      if (stopped) this.#options.onEvent?.('stopped')
    } finally {
      await disconnect(client)
    }
  }

  // PostgreSQL tells of its end by closing the connection: no polling, and no doubt.
  #watch({ client, connection, location }: Present): void {
    const socket = identify(socketPath(connection))
    const check = setInterval(() => {
      // Without its socket a server lives on and accepts no new connection. Ending our connection makes it restart.
      if (!socket || identify(socketPath(connection)) !== socket) client.end().catch(() => {})
      // What fails is tried again at the next look.
      if (isLogFull(location.log))
        underLock(this.#options, this.#leaving.signal, async () => rotateLog(location.log)).catch(() => {})
    }, CHECK_MS)
    check.unref()
    client.once('end', () => {
      clearInterval(check)
      if (this.#leaving.signal.aborted) return
      this.#options.onEvent?.('lost', 'the connection to PostgreSQL was closed')
      this.#recovery = this.#recover()
    })
  }

  async #recover(): Promise<void> {
    const { signal } = this.#leaving
    let told = ''
    for (let pauseMs = BACKOFF_MIN_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, BACKOFF_MAX_MS)) {
      try {
        this.#refuseReplaced()
        const before = this.connection.host
        this.#present = await arrive(this.#options, signal)
        this.#watch(this.#present)
        const { host } = this.connection
        this.#options.onEvent?.('restarted', host === before ? undefined : `its socket is now in ${host}`)
        return
      } catch (error) {
        // Logged once for each reason, because this may repeat for a long time. What follows quotes PostgreSQL's log, with its times.
        const reason = messageOf(error).split('\n')[0]!.replace(', and ends with:', '')
        if (!signal.aborted && reason !== told) this.#options.onEvent?.('lost', reason)
        told = reason
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  }

  // Half of our connections would be to the one folder's server and half to the other's.
  #refuseReplaced(): void {
    if (identify(this.#options.dataDir) === this.#folder) return
    throw new EmbeddedPostgresError(
      `${this.#options.dataDir} was replaced by another folder while this process ran: start it again`,
    )
  }
}

/** What a path leads to, if anything. */
function identify(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

function arrive(options: EmbeddedOptions, signal?: AbortSignal): Promise<Present> {
  return underLock(options, signal, async () => {
    const location = settleLocation(options.dataDir)
    if (hasCluster(location)) claimCluster(location)
    return { location, ...(await bringUp(location, options, signal)) }
  })
}

/** Every decision to start or stop PostgreSQL is made here, by one process at a time. */
async function underLock<T>(
  options: EmbeddedOptions,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await withFileLock(join(options.dataDir, 'embedded-postgres.lock'), work, { signal })
  } catch (error) {
    throw asEmbeddedError(error)
  }
}
