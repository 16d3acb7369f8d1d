import type { WorkerStatus } from '#app/server/keep-running.ts'
import type { Config } from '#app/settings/config.ts'
import type { Memory } from '#base/memory.ts'
import type { Registry } from '#base/metrics.ts'
import { setPriorityOfAllThreads } from '#base/priority.ts'
import type { Rate, TakeToken } from '#base/queues/rate-limits.ts'
import type { Taken } from '#base/queues/token-bucket.ts'
import { type Channel, createChannel } from './channel.ts'
import { nameOf, type Part } from './layout.ts'
import type { Mailbox } from './mailbox.ts'

// What the worker's process tells, and API processes show.
export interface WorkerNews {
  status: WorkerStatus
  hasStarted: boolean
  // The SQLSTATE of a write that failed a moment ago.
  failingWrites?: string | undefined
}

// The rest of the service, as one of its processes sees it.
export interface Service {
  readonly name: string
  readonly part: Part
  // The roles of the service, of which this process has one.
  readonly roles: Config['roles']
  // The supervisor wants this process to end, or a signal does.
  readonly asked: Promise<NodeJS.Signals>
  // Undefined with one API process: the buckets are its own.
  readonly takeToken: TakeToken | undefined
  // Undefined with one API process: it remembers alone.
  readonly memory: Memory | undefined
  worker(): WorkerNews | undefined
  // The worker has run for the first time. Never rejects.
  readonly workerStarted: Promise<void>
  tellWorker(news: WorkerNews): void
  // The database is there. `most`: how many API processes its connections are enough for.
  tellOpened(most: number): void
  tellReady(): void
  // Lets the supervisor read the figures of this process.
  shareMetrics(registry: Registry, onFailure: (error: unknown) => void): void
  // The figures of every process, added up.
  sumMetrics(): Promise<string>
}

const BELOW_OTHERS = 5 // about a third of a purchase's share on a full machine, so that messages still go out

export function joinService({ roles }: Config, part: Part, mailbox: Mailbox): Service {
  const asked = Promise.withResolvers<NodeJS.Signals>()
  const workerStarted = Promise.withResolvers<void>()
  let figures: Registry | undefined
  let onFailure = (_error: unknown) => {}
  let news: WorkerNews | undefined
  const channel = createChannel((message) => process.send!(message), {
    answer: { metrics: () => figures?.getMetricsAsJSON() },
    hear: {
      stop: (signal: NodeJS.Signals) => asked.resolve(signal),
      ping: () => channel.tell('pong'),
      worker(told: WorkerNews) {
        news = told
        if (told.hasStarted) workerStarted.resolve()
      },
    },
    onFailure: (_what, error) => onFailure(error),
  })
  mailbox.open(channel.receive)
  // SIGTERM to one process ends that one, and the supervisor starts it again.
  process.on('SIGTERM', () => asked.resolve('SIGTERM'))
  if (part.kind === 'worker' || !roles.worker) workerStarted.resolve()
  return {
    name: nameOf(part),
    part,
    roles,
    asked: asked.promise,
    takeToken: part.kind === 'api' && part.of > 1 ? askForTokens(channel) : undefined,
    memory: part.kind === 'api' && part.of > 1 ? askForMemory(channel) : undefined,
    worker: () => news,
    workerStarted: workerStarted.promise,
    tellWorker: (told) => channel.tell('worker', told),
    tellOpened: (most) => channel.tell('opened', most),
    tellReady() {
      // Not before: the whole service waits for its start.
      if (part.kind === 'worker') setPriorityOfAllThreads(BELOW_OTHERS)
      channel.tell('ready')
    },
    shareMetrics(registry, whenFailed) {
      figures = registry
      onFailure = whenFailed
    },
    sumMetrics: async () => (await channel.ask('metrics')) as string,
  }
}

// Written when the supervisor says so: the next request may reach another process.
function askForMemory(channel: Channel): Memory {
  return {
    read: (key) => channel.ask('recall', key),
    write: (key, value) => channel.ask('remember', [key, value]),
  }
}

type Question = [kind: string, key: string | number, rate: Rate]

// Everything that is asked in one turn of the event loop goes in one message.
function askForTokens(channel: Channel): TakeToken {
  let gathering: { questions: Question[]; answers: Promise<unknown> } | undefined
  return async (kind, key, rate) => {
    gathering ??= gather()
    const i = gathering.questions.push([kind, key, rate]) - 1
    return ((await gathering.answers) as Taken[])[i]!
  }

  function gather() {
    const questions: Question[] = []
    const answers = new Promise((resolve) => {
      setImmediate(() => {
        gathering = undefined
        resolve(channel.ask('tokens', questions))
      })
    })
    return { questions, answers }
  }
}
