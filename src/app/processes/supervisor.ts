import cluster from 'node:cluster'
import type { Config } from '#app/settings/config.ts'
import { readRelease } from '#app/version.ts'
import { createLog, type Log, stackOf } from '#base/log.ts'
import { createMemory } from '#base/memory.ts'
import { createRateLimits, type Rate } from '#base/queues/rate-limits.ts'
import { createChannel } from './channel.ts'
import type { WorkerNews } from './join-service.ts'
import { argumentsOf, nameOf, type Part } from './layout.ts'
import type { End, Life, Member } from './life.ts'
import { closeLostConnection } from './lost-connection.ts'
import { MetricsSum } from './metrics-sum.ts'
import { awaitSignal, isStopSignal, SAME_SIGNAL_MS } from './signals.ts'
import { PING_MS, Silence } from './silence.ts'
import { apiStopMs, serviceStopMs } from './stop-limits.ts'

const PAUSE_MS = 250 // before a second restart in a row; doubled for each further one
const PAUSE_MAX_MS = 10_000
const SETTLED_MS = 60_000
const LOAD_AFTER_MS = 2_000 // the other processes start first

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
  // As it was read: the files may be replaced under a service that runs.
  readonly #release = readRelease()
  readonly #silence = new Silence()
  #worker: WorkerNews = { status: 'starting', hasStarted: false }
  #isWorkerSilent = false
  #processes: number
  #isDatabaseOpen = false
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
    void awaitSignal(() => this.#endNow()).then((signal) => {
      this.#log.info('stopping', { signal })
      this.#stop(signal)
    })
    this.#add({ kind: 'api', number: 1, of: this.#processes, first: true })
    if (this.#config.roles.worker) this.#add({ kind: 'worker', number: 1, of: this.#processes, first: false })
    setInterval(() => this.#listen(), PING_MS).unref()
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
    this.#metrics.countStart(nameOf(member.part))
    try {
      this.#fork(member)
    } catch (error) {
      // The machine is out of something: memory, mostly.
      this.#ended(member, { reason: failureOf(error) })
    }
  }

  #fork(member: Member): void {
    cluster.setupPrimary({ args: argumentsOf(member.part, this.#release) })
    const child = cluster.fork()
    child.on('error', (error) => {
      // Never started, and it will not exit: npm is just replacing Node, or there are too many processes. Otherwise it is a
      // message to a process that is ending, and its end says the rest.
      if (child.process.pid === undefined && member.life?.child === child)
        this.#ended(member, { reason: failureOf(error) })
    })
    if (child.process.pid !== undefined) closeLostConnection(child, this.#log, nameOf(member.part))
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
      onFailure: (check, error) =>
        this.#log.error('not answered', { check, error: failureOf(error), stack: stackOf(error) }),
    })
    const since = performance.now()
    const life: Life = {
      child,
      channel,
      since,
      hasBegun: true,
      hasOpened: false,
      hasSpoken: false,
      heardAt: since,
    }
    member.life = life
    if (member.part.kind === 'worker') this.#beginOrWait(life)
    child.on('message', (message) => {
      life.heardAt = performance.now()
      life.hasSpoken = true
      channel.receive(message)
    })
    child.once('exit', (code, signal) => this.#hearEnd(member, { code, signal }))
  }

  #beginOrWait(life: Life): void {
    life.hasBegun = this.#isDatabaseOpen
    if (!life.hasBegun) return
    life.heardAt = performance.now()
    life.channel.tell('begin')
  }

  #opened(member: Member, most: number): void {
    if (member.life) member.life.hasOpened = true
    if (member.part.kind === 'api') this.#showWorker(member)
    if (this.#isDatabaseOpen || this.#isStopping) return
    this.#isDatabaseOpen = true
    if (most < this.#processes) {
      const reason = `INGOT_PROCESSES is ${this.#processes}, and PostgreSQL allows connections for ${most}`
      this.#log.warn('fewer processes are started', { reason, count: most })
      this.#processes = most
    }
    for (const { life } of this.#members) if (life && !life.hasBegun) this.#beginOrWait(life)
  }

  // The others start when the first one serves, so that they do not slow it down.
  #ready(member: Member): void {
    if (member.setbacks > 0) this.#log.info('process started again', { child: nameOf(member.part) })
    if (!member.part.first || this.#isStopping) return
    this.#isReady = true
    setTimeout(() => this.#loadRest(), LOAD_AFTER_MS).unref()
    for (let number = 2; number <= this.#processes; number += 1)
      this.#add({ kind: 'api', number, of: this.#processes, first: false })
  }

  #tellWorker(news: WorkerNews): void {
    this.#worker = { ...news, hasStarted: this.#worker.hasStarted || news.hasStarted }
    this.#showWorkerToAll()
  }

  #showWorkerToAll(): void {
    for (const member of this.#members) if (member.part.kind === 'api') this.#showWorker(member)
  }

  // A service without one says nothing of it.
  #showWorker({ life }: Member): void {
    if (!this.#config.roles.worker) return
    const { status } = this.#worker
    const shown = { ...this.#worker, status: this.#isWorkerSilent ? 'standing still' : status }
    life?.channel.tell('worker', shown satisfies WorkerNews)
  }

  // Whatever a process says is a sign of life. One that is frozen would hold its jobs, connections and clients for ever.
  #listen(): void {
    const alive = this.#alive()
    this.#silence.look(alive)
    const worker = this.#members.find(({ part }) => part.kind === 'worker')?.life
    const isSilent = worker?.hasBegun === true && this.#silence.isStandingStill(worker)
    if (isSilent !== this.#isWorkerSilent) {
      this.#isWorkerSilent = isSilent
      this.#showWorkerToAll()
    }
    for (const { part, life } of this.#members) {
      if (!life?.hasBegun) continue
      if (this.#silence.isFrozen(life)) {
        this.#log.error('process does not answer and is killed', { child: nameOf(part) })
        life.child.process.kill('SIGKILL')
      } else life.channel.tell('ping')
    }
  }

  #alive(): Life[] {
    return this.#members.flatMap(({ life }) => life ?? [])
  }

  #readMetrics(): Promise<string> {
    const alive = this.#members.flatMap(({ life }) => (life?.hasOpened ? [life] : []))
    return this.#metrics.read(
      alive.map(({ child, channel }) => ({ id: child.id, ask: () => channel.ask('metrics') })),
    )
  }

  // While its file is the one of this release.
  async #loadRest(): Promise<void> {
    await this.#metrics.load().catch((error) => {
      this.#log.warn('code not loaded', { check: 'metrics', error: failureOf(error) })
    })
  }

  // Ctrl-C reaches every process at once, and one that is loading ends by it, perhaps before this one has heard its own.
  #hearEnd(member: Member, end: End): void {
    const isLoading = !this.#isReady && isStopSignal(end.signal)
    if (isLoading && !this.#isStopping) setTimeout(() => this.#ended(member, end), SAME_SIGNAL_MS)
    else this.#ended(member, end)
  }

  #ended(member: Member, { code, signal, reason }: End): void {
    const { part, life } = member
    delete member.life
    if (life) this.#metrics.retire(life.child.id)
    const why = signal ? { signal } : { reason: reason ?? `exit code ${code}` }
    if (this.#isStopping) {
      // One that is still loading ends by the very signal.
      const isAsked = code === 0 || isStopSignal(signal)
      if (!isAsked) this.#exitCode ||= code ?? 1
      if (!isAsked && !code) this.#tellEnd(part, why)
      this.#stop('SIGTERM')
      return
    }
    // A process that never started has said why. Starting it again would not help.
    if (!this.#isReady && (part.kind === 'api' || !life?.hasOpened)) {
      if (!code) this.#tellEnd(part, why)
      this.#exitCode = code || 1
      this.#stop('SIGTERM')
      return
    }
    this.#tellEnd(part, why)
    if (part.kind === 'worker') {
      this.#isWorkerSilent = false
      this.#tellWorker({ status: 'starting', hasStarted: false })
    }
    if (life && performance.now() - life.since > SETTLED_MS) member.setbacks = 0
    const pauseMs = member.setbacks === 0 ? 0 : Math.min(PAUSE_MS * 2 ** (member.setbacks - 1), PAUSE_MAX_MS)
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
    this.#log.error('process ended', { child: nameOf(part), ...why })
  }

  // The worker goes on while API processes drain, and is asked to stop when they have ended. So its last round of the archive
  // has everything that they acknowledged. One that hangs does not keep the worker from its own stop.
  #stop(signal: NodeJS.Signals): void {
    if (!this.#isStopping) {
      this.#isStopping = true
      setTimeout(() => {
        this.#log.error('the service did not stop in time')
        this.#endNow()
      }, serviceStopMs(this.#config)).unref()
      setTimeout(() => this.#askToStop('worker', signal), apiStopMs(this.#config)).unref()
      for (const pause of this.#pauses) clearTimeout(pause)
      this.#askToStop('api', signal)
    }
    const alive = this.#members.filter(({ life }) => life)
    if (!alive.some(({ part }) => part.kind === 'api')) this.#askToStop('worker', signal)
    if (alive.length === 0) this.#over.resolve(this.#exitCode)
  }

  #askToStop(kind: Part['kind'], signal: NodeJS.Signals): void {
    for (const { part, life } of this.#members) if (part.kind === kind) life?.channel.tell('stop', signal)
  }

  // A process that hears that its supervisor is gone ends by itself. One that is frozen hears nothing.
  #endNow(): never {
    for (const { child } of this.#alive()) child.process.kill('SIGKILL')
    process.exit(1)
  }
}

// The name and code of an error. Its message may quote values.
function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return [error.name, (error as NodeJS.ErrnoException).code].filter(Boolean).join(' ')
}

export async function supervise(config: Config): Promise<number> {
  const log = createLog(config.logLevel, undefined, 'supervisor')
  // Its processes end when it is gone.
  process.on('uncaughtException', (error) => {
    log.error('crashed', { error: failureOf(error), stack: stackOf(error) })
    process.exit(1)
  })
  return new Supervisor(config, log).run()
}
