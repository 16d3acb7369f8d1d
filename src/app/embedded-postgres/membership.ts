import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withFileLock } from '#base/file-lock.ts'
import { bringUp, type Running } from './bring-up.ts'
import { asEmbeddedError, messageOf } from './error.ts'
import type { EmbeddedOptions, EmbeddedPostgres } from './index.ts'
import { type Connection, disconnect } from './keeper.ts'
import { stopIfLast } from './leave.ts'
import { settleSite } from './placement.ts'
import type { Site } from './site.ts'

const BACKOFF_MIN_MS = 100
const BACKOFF_MAX_MS = 2_000
const SOCKET_CHECK_MS = 2_000

type Present = Running & { readonly site: Site }

/** One process's part in a PostgreSQL that several may share: from entering, through its crashes, to leaving. */
export class Membership implements EmbeddedPostgres {
  readonly #options: EmbeddedOptions
  readonly #leaving = new AbortController()
  #present: Present
  #recovery: Promise<void> = Promise.resolve()
  #left: Promise<void> | undefined

  static async enter(options: EmbeddedOptions): Promise<Membership> {
    const present = await arrive(options)
    const member = new Membership(options, present)
    options.onEvent?.(present.started ? 'started' : 'joined')
    return member
  }

  private constructor(options: EmbeddedOptions, present: Present) {
    this.#options = options
    this.#present = present
    this.#watch(present)
  }

  get connection(): Connection {
    return this.#present.connection
  }

  leave(): Promise<void> {
    this.#left ??= this.#leave()
    return this.#left
  }

  async #leave(): Promise<void> {
    this.#leaving.abort()
    await this.#recovery
    const { site, client, connection } = this.#present
    try {
      const stopped = await underLock(this.#options, undefined, () => stopIfLast(site, client, connection))
      if (stopped) this.#options.onEvent?.('stopped')
    } finally {
      await disconnect(client)
    }
  }

  // PostgreSQL tells of its end by closing the connection: no polling, and no doubt.
  #watch({ client }: Present): void {
    // Without its socket a server lives on and is reached by nobody new: ending our connection has it restarted.
    const { host, port } = this.connection
    const check = setInterval(() => {
      if (!existsSync(join(host, `.s.PGSQL.${port}`))) client.end().catch(() => {})
    }, SOCKET_CHECK_MS)
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
        const before = this.connection.host
        this.#present = await arrive(this.#options, signal)
        this.#watch(this.#present)
        const { host } = this.connection
        this.#options.onEvent?.('restarted', host === before ? undefined : `its socket is now in ${host}`)
        return
      } catch (error) {
        // Once per reason, as this goes on for as long as it takes.
        const reason = messageOf(error)
        if (!signal.aborted && reason !== told) this.#options.onEvent?.('lost', reason)
        told = reason
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  }
}

function arrive(options: EmbeddedOptions, signal?: AbortSignal): Promise<Present> {
  return underLock(options, signal, async () => {
    const site = settleSite(options.dataDir)
    return { site, ...(await bringUp(site, options.password, signal)) }
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
