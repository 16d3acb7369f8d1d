import cluster, { type Worker as Child } from 'node:cluster'
import type { Config } from '#app/settings/config.ts'
import { createLog, type Log } from '#base/log.ts'
import { createMemory } from '#base/memory.ts'
import { createRateLimits, type Rate } from '#base/queues/rate-limits.ts'
import { type Channel, createChannel } from './channel.ts'
import type { WorkerNews } from './join-service.ts'
import { argumentsOf, nameOf, type Part } from './layout.ts'
import { closeLostConnection } from './lost-connection.ts'
import { MetricsSum } from './metrics-sum.ts'
import { awaitSignal } from './signals.ts'

const PAUSE_MS = 250 // before a second restart in a row; doubled for each further one
const PAUSE_MAX_MS = 10_000
const SETTLED_MS = 60_000

interface Member {
  part: Part
  // Restarts in a row.
  setbacks: number
  // Undefined between two lives.
  life?: { child: Child; channel: Channel; since: number; hasOpened: boolean }
}

// Keeps the processes of a service running. It accepts connections and hands them out in turn, so the port stays open
// while one of several API processes is restarted. It opens no database.
class Supervisor {
  readonly #config: Config
  readonly #log: Log
  readonly #members: Member[] = []
  readonly #metrics = new MetricsSum()
  readonly #takeToken = createRateLimits()
  readonly #memory = createMemory()
  readonly #over = Promise.withResolvers<number>()
  readonly #pauses = new Set<NodeJS.Timeout>()
  #worker: WorkerNews = { status: 'starting', hasStarted: false }
  #processes: number
  #isReady = false
  #isStopping = false
  #exitCode = 0

  constructor(config: Config, log: Log) {
    this.#config = config
    this.#log = log
    this.#processes = config.processes
  }

  // Ends with the exit code, when every process has ended.
  async run(): Promise<number> {
    this.#add({ kind: 'api', number: 1, of: this.#processes, first: true })
    void awaitSignal().then((signal) => {
      this.#log.info('stopping', { signal })
      this.#stop(signal)
    })
    const code = await this.#over.promise
    if (this.#isReady) this.#log.info('stopped')
    return code
  }

  #add(part: Part): void {
    const member: Member = { part, setbacks: 0 }
    this.#members.push(member)
    this.#start(member)
  }

  #start(member: Member): void {
    cluster.setupPrimary({ args: argumentsOf(member.part) })
    const child = cluster.fork()
    closeLostConnection(child)
    const channel = createChannel((message) => child.isConnected() && child.send(message as object), {
      answer: {
        tokens: (asked: [string, string | number, Rate][]) => asked.map((one) => this.#takeToken(...one)),
        metrics: () => this.#readMetrics(),
        recall: (key: string) => this.#memory.read(key),
        remember: (entry: [string, unknown]) => this.#memory.write(...entry),
      },
      hear: {
        opened: (most: number) => this.#opened(member, most),
        ready: () => this.#ready(member),
        worker: (news: WorkerNews) => this.#tellWorker(news),
      },
    })
    member.life = { child, channel, since: performance.now(), hasOpened: false }
    child.on('message', channel.receive)
    // A message to a process that is ending: its end says the rest.
    child.on('error', () => {})
    child.once('exit', (code, signal) => this.#ended(member, code, signal))
  }

  #opened(member: Member, most: number): void {
    if (member.life) member.life.hasOpened = true
    if (member.part.kind === 'api') member.life?.channel.tell('worker', this.#worker)
    if (!member.part.first || this.#members.length > 1 || this.#isStopping) return
    if (most < this.#processes) {
      const reason = `INGOT_PROCESSES is ${this.#processes}, and max_connections of PostgreSQL is enough for ${most}`
      this.#log.warn('fewer processes are started', { reason, count: most })
      this.#processes = most
    }
    if (this.#config.roles.worker) this.#add({ kind: 'worker', number: 1, of: this.#processes, first: false })
  }

  // The others start when the first one serves, so that they do not slow it down.
  #ready(member: Member): void {
    if (member.setbacks > 0) this.#log.info('process started again', { process: nameOf(member.part) })
    if (!member.part.first || this.#isStopping) return
    this.#isReady = true
    for (let number = 2; number <= this.#processes; number += 1)
      this.#add({ kind: 'api', number, of: this.#processes, first: false })
  }

  #tellWorker(news: WorkerNews): void {
    this.#worker = { ...news, hasStarted: this.#worker.hasStarted || news.hasStarted }
    for (const { part, life } of this.#members)
      if (part.kind === 'api') life?.channel.tell('worker', this.#worker)
  }

  #readMetrics(): Promise<string> {
    const alive = this.#members.flatMap(({ life }) => (life?.hasOpened ? [life] : []))
    return this.#metrics.read(
      alive.map(({ child, channel }) => ({ id: child.id, ask: () => channel.ask('metrics') })),
    )
  }

  #ended(member: Member, code: number | null, signal: string | null): void {
    const { part, life } = member
    delete member.life
    this.#metrics.retire(life!.child.id)
    // A process that never started has said why. Starting it again would not help.
    const isFatal = !this.#isReady && (part.kind === 'api' || !life!.hasOpened)
    if (this.#isStopping || isFatal) {
      if (signal !== null) this.#tellEnd(part, { signal })
      this.#exitCode ||= code ?? 1
      this.#stop('SIGTERM')
      return
    }
    this.#tellEnd(part, signal === null ? { reason: `exit code ${code}` } : { signal })
    if (part.kind === 'worker') this.#tellWorker({ status: 'starting', hasStarted: false })
    if (performance.now() - life!.since > SETTLED_MS) member.setbacks = 0
    const pauseMs = member.setbacks === 0 ? 0 : Math.min(PAUSE_MS * 2 ** member.setbacks, PAUSE_MAX_MS)
    member.setbacks += 1
    // The start of the service is reported once.
    member.part = { ...part, first: false }
    const pause = setTimeout(() => {
      this.#pauses.delete(pause)
      this.#start(member)
    }, pauseMs)
    this.#pauses.add(pause)
  }

  #tellEnd(part: Part, why: { signal?: string; reason?: string }): void {
    this.#log.error('process ended', { process: nameOf(part), ...why })
  }

  #stop(signal: NodeJS.Signals): void {
    const alive = this.#members.flatMap(({ life }) => life ?? [])
    if (!this.#isStopping) {
      this.#isStopping = true
      for (const pause of this.#pauses) clearTimeout(pause)
      for (const { channel } of alive) channel.tell('stop', signal)
    }
    if (alive.length === 0) this.#over.resolve(this.#exitCode)
  }
}

export async function supervise(config: Config): Promise<number> {
  return new Supervisor(config, createLog(config.logLevel, undefined, 'supervisor')).run()
}
