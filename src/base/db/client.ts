import pg from 'pg'
import { Unavailable } from './errors.ts'

// How long a statement may go unanswered before its connection is given up. PostgreSQL enforces its own limits; these
// are for a server that no longer answers at all: frozen, cut off, or behind a proxy that keeps dead sessions.
const CONTROL_MS = 5_000 // begin and rollback wait for nobody
const CONTROL = /^\s*(?:begin|start transaction|rollback)\b/i
const END_MS = 1_000 // a server that lives closes at once

export interface BoundedConfig extends pg.ClientConfig {
  // The bound of every statement that does not bring its own.
  statementMs?: number
  // Whether this is the server it was meant for. A pool asks by itself.
  onConnect?: pg.PoolConfig['onConnect']
}

export interface BoundedQuery extends pg.QueryConfig {
  boundMs?: number
}

// A client that never waits for ever. One whose statement goes unanswered is destroyed, not reused: the answer may still
// come, and would be taken for that of the next statement.
export class BoundedClient extends pg.Client {
  readonly #statementMs: number
  readonly #onConnect: BoundedConfig['onConnect']
  #isAbandoned = false
  // Statements that may take as long as they need: someone else watches over them (liveness.ts).
  isWatched = false
  // Statements sent, and how many of them are not answered.
  sent = 0
  waiting = 0
  answeredAt = performance.now()
  onAbandoned: (deadSince: number) => void = () => {}

  constructor(config: BoundedConfig = {}) {
    super(config)
    this.#statementMs = config.statementMs ?? 11_000
    this.#onConnect = config.onConnect
    // A connection that breaks tells of it twice: the statement fails, and this event, which without a listener would end
    // the process.
    this.on('error', () => {})
  }

  // For a client without a pool.
  async open(): Promise<void> {
    await this.connect()
    await this.#onConnect?.(this)
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's own overloads, passed through
  override query(...query: any[]): any {
    const answered = this.#send(query[0])
    const at = query.findLastIndex((argument) => typeof argument === 'function')
    if (at > 0) {
      const callback = query[at]
      query[at] = (...results: unknown[]) => {
        answered()
        callback(...results)
      }
      return this.#driverQuery(query)
    }
    const result = this.#driverQuery(query) as Promise<unknown>
    result.then(answered, answered)
    return result
  }

  #driverQuery(query: unknown[]): unknown {
    return (super.query as (...query: unknown[]) => unknown).apply(this, query)
  }

  // Returns what to call when the answer is there.
  #send(query: string | BoundedQuery): () => void {
    const sentAt = performance.now()
    this.sent += 1
    this.waiting += 1
    const timer = this.isWatched ? undefined : this.#giveUpAfter(this.#boundOf(query), sentAt)
    return () => {
      clearTimeout(timer?.timeout)
      if (timer) timer.isOver = true
      this.waiting -= 1
      this.answeredAt = performance.now()
    }
  }

  #boundOf(query: string | BoundedQuery): number {
    const text = typeof query === 'string' ? query : query.text
    if (CONTROL.test(text)) return Math.min(CONTROL_MS, this.#statementMs)
    return (typeof query === 'string' ? undefined : query.boundMs) ?? this.#statementMs
  }

  #giveUpAfter(boundMs: number, sentAt: number) {
    const timer = { timeout: undefined as NodeJS.Timeout | undefined, isOver: false }
    timer.timeout = setTimeout(() => {
      // After a process that was itself stopped for a while the answer may be there, only not read yet.
      setImmediate(() => {
        if (!timer.isOver) this.abandon(`the database did not answer within ${boundMs / 1_000} s`, sentAt)
      })
    }, boundMs)
    return timer
  }

  // Closes the connection on our side at once. Everything that waits on it fails.
  abandon(reason: string, deadSince = performance.now()): void {
    if (this.#isAbandoned) return
    this.#isAbandoned = true
    this.onAbandoned(deadSince)
    this.#stream.destroy(new Unavailable(reason))
  }

  // The driver waits until the server closes its end, for ever if need be.
  override end(callback?: (error: Error) => void): Promise<void> {
    const timeout = setTimeout(() => this.#stream.destroy(), END_MS).unref()
    this.once('end', () => clearTimeout(timeout))
    return (super.end as (callback?: unknown) => Promise<void>).call(this, callback)
  }

  get #stream(): { destroy(error?: Error): void } {
    return (this as unknown as { connection: { stream: { destroy(error?: Error): void } } }).connection.stream
  }
}
