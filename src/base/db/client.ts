import pg from 'pg'
import type { Host } from './address.ts'
import { classify, Unavailable } from './errors.ts'
import type { Tls } from './tls.ts'

// How long a statement may go unanswered before its connection is given up. PostgreSQL enforces its own limits; these
// are for a server that no longer answers at all: frozen, cut off, or behind a proxy that keeps dead sessions.
const CONTROL_MS = 5_000 // begin and rollback wait for nobody
const CONTROL = /^\s*(?:begin|start transaction|rollback)\b/i
const END_MS = 1_000 // a server that lives closes at once
const FIND_MS = 10_000 // where no connection timeout is given
const READ_ONLY = '25006'

// Which of several hosts takes writes.
export interface Primary {
  find(withinMs: number): Promise<Host>
  // Found at fault: the next to connect looks for it anew.
  doubt(host: Host): void
}

export interface BoundedConfig extends pg.ClientConfig {
  // Settings of the session. They are set by a statement: poolers such as PgBouncer refuse them at the start of a
  // connection, or leave them out without a word.
  session?: Readonly<Record<string, string>>
  // A server that takes no writes is refused.
  writable?: boolean
  primary?: Primary
  tls?: Tls
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
  readonly #config: BoundedConfig
  readonly #statementMs: number
  #isAbandoned = false
  // The server takes no more writes: its pool drops the connection when it comes back.
  isReadOnly = false
  // Statements that may take as long as they need: someone else watches over them (liveness.ts).
  isWatched = false
  // Statements sent, and how many of them are not answered.
  sent = 0
  waiting = 0
  answeredAt = performance.now()
  onAbandoned: (deadSince: number) => void = () => {}
  onReadOnly: () => void = () => {}

  constructor(config: BoundedConfig = {}) {
    super(config.tls ? { ...config, ssl: config.tls.options(), ...negotiation(config.tls) } : config)
    this.#config = config
    this.#statementMs = config.statementMs ?? 11_000
    // A connection that breaks tells of it twice: the statement fails, and this event, which without a listener would end
    // the process.
    this.on('error', () => this.#doubt())
  }

  // For a client without a pool.
  async open(): Promise<void> {
    await this.connect()
    await this.#config.onConnect?.(this)
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's own overloads, and what its pool passes
  override connect(callback?: any): any {
    const connected = this.#connectToWriter()
    if (!callback) return connected
    connected.then(
      () => process.nextTick(callback, undefined),
      (error) => process.nextTick(callback, error),
    )
  }

  async #connectToWriter(): Promise<this> {
    const { primary, connectionTimeoutMillis } = this.#config
    if (primary) {
      const { host, port } = await primary.find(connectionTimeoutMillis || FIND_MS)
      // The pool has given up waiting.
      if (this.#stream.destroyed) throw new Unavailable('the primary was found too late')
      this.host = host
      this.port = port
    }
    try {
      await super.connect()
      await this.#beginSession()
      return this
    } catch (error) {
      this.#doubt()
      this.#stream.destroy()
      throw classify(error) === 'unavailable' ? error : new Unavailable(whyNot(error), { cause: error })
    }
  }

  async #beginSession(): Promise<void> {
    const { session = {}, writable } = this.#config
    if (Object.keys(session).length === 0 && !writable) return
    const { rows } = await this.query(BEGIN_SESSION, [Object.keys(session), Object.values(session)])
    if (writable && rows[0].isReadOnly) throw new Unavailable('it is a standby, or read-only')
  }

  #doubt(): void {
    this.#config.primary?.doubt(this)
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's own overloads, passed through
  override query(...query: any[]): any {
    const answered = this.#send(query[0])
    const at = query.findLastIndex((argument) => typeof argument === 'function')
    if (at > 0) {
      const callback = query[at]
      query[at] = (...results: unknown[]) => {
        answered(results[0])
        callback(...results)
      }
      return this.#driverQuery(query)
    }
    const result = this.#driverQuery(query) as Promise<unknown> | Stream
    if (result instanceof Promise) result.then(() => answered(), answered)
    // The rows of a COPY.
    else result.once('close', () => answered())
    return result
  }

  #driverQuery(query: unknown[]): unknown {
    return (super.query as (...query: unknown[]) => unknown).apply(this, query)
  }

  // Returns what to call when the answer is there.
  #send(query: string | BoundedQuery): (error?: unknown) => void {
    const sentAt = performance.now()
    this.sent += 1
    this.waiting += 1
    const timer = this.isWatched ? undefined : this.#giveUpAfter(this.#boundOf(query), sentAt)
    return (error) => {
      clearTimeout(timer?.timeout)
      if (timer) timer.isOver = true
      this.waiting -= 1
      this.answeredAt = performance.now()
      if ((error as { code?: unknown } | undefined)?.code === READ_ONLY) this.#becomeReadOnly()
    }
  }

  // The primary of a moment ago. The statement has its answer; the connection is good for nothing more.
  #becomeReadOnly(): void {
    this.isReadOnly = true
    this.#doubt()
    this.onReadOnly()
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

  get #stream(): Stream {
    return (this as unknown as { connection: { stream: Stream } }).connection.stream
  }
}

// A wrong password, a certificate that is not trusted, a setting that is not allowed. The message of an error may quote
// what it was given: its code does not.
function whyNot(error: unknown): string {
  const { code } = error as { code?: string }
  return `the database cannot be entered${code === undefined ? '' : ` (${code})`}`
}

interface Stream {
  destroyed: boolean
  once(event: 'close', listener: () => void): unknown
  destroy(error?: Error): void
}

// One round trip: the settings, and whether this is where writes go.
// PostgreSQL 15 and 16 do not know transaction_timeout.
const BEGIN_SESSION = `
  select (select count(set_config(name, value, false)) from unnest($1::text[], $2::text[]) as s (name, value)
           where name <> 'transaction_timeout' or current_setting(name, true) is not null),
         pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly"`

const negotiation = ({ direct }: Tls) => ({ sslnegotiation: direct ? 'direct' : 'postgres' }) as object
