import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Task as LibraryTask, Logger, type Runner, run, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { BoundedClient, BoundedConfig } from '#base/db/client.ts'
import { Unavailable } from '#base/db/errors.ts'
import { openPool } from '#base/db/pool.ts'
import { withSettings } from '#base/db/settings.ts'
import { watchClock } from './clock-watch.ts'

const STUCK_MS = 10_000 // five times the interval at which the library looks for jobs
const ALL_BUSY_MS = 600_000 // no request or statement is that long; a verification keeps one worker busy, not all
const LISTENER_MS = 10_000
const SETTINGS = {
  // The library prepares its statements too, mostly while its table is empty. Planned for that, each look for a job would read and
  // sort all that wait.
  enable_seqscan: 'off',
  // A crash of PostgreSQL may undo that a job was taken or finished. The job runs again or stays behind: what is to do stands in rows.
  synchronous_commit: 'off',
}

export interface RunnerOptions {
  connection: BoundedConfig
  concurrency: number
  crontab: string
  tasks: TaskList
  // Looked for at once, rather than when their minute comes, and with this priority (the lower the sooner).
  firstJobs: readonly string[]
  priority: number
  onLost(error: Error): void
}

export type RunnerEnd =
  | { why: 'ended'; error?: unknown }
  | { why: 'standing still' }
  | { why: 'clock set back' }

// The job library at work, on connections of its own. It is ended for good: another one takes its place.
export interface JobRunner {
  // The name under which it locks jobs.
  readonly id: string
  isBusy(): boolean
  // It ended, by which failure if any, no longer finds out whether there are jobs, or would add none for a while.
  readonly over: Promise<RunnerEnd>
  // Lets what is under way come to its end for so long, and cuts the rest off.
  end(graceMs: number): Promise<void>
}

// A runner is alive if all its workers are busy or it looked for jobs successfully. We count the running jobs
// ourselves: the library does not report a job whose end it could not write.
interface Pulse {
  active: number
  lookedAt: number
}

// Returns once it has looked for jobs with success.
export async function startJobRunner(options: RunnerOptions): Promise<JobRunner> {
  const queue = openPool(
    {
      ...withSettings(options.connection, SETTINGS),
      max: options.concurrency + 2, // and one each to listen and to look for jobs
      application_name: 'ingot worker',
      connectionTimeoutMillis: 5_000,
      // The library's own statements are short.
      statementMs: 8_000,
    },
    options.onLost,
  )
  const events = new EventEmitter()
  const pulse: Pulse = { active: 0, lookedAt: performance.now() }
  const looked = Promise.withResolvers<void>()
  let id = ''
  events.on('pool:create', ({ workerPool }) => {
    id = workerPool.id
  })
  // Cut off while it asks its first question, the library remembers the failure, and every look for jobs fails from then on
  // without a word. What counts is therefore the last look that succeeded.
  for (const event of ['worker:getJob:empty', 'job:start']) {
    events.on(event, () => {
      pulse.lookedAt = performance.now()
      looked.resolve()
    })
  }
  const unwatchListener = watchListener(events)
  const letGo = forgiveLastWords(queue.pool)
  let standstill: ReturnType<typeof watchForStandstill> | undefined
  let runner: Runner | undefined
  async function end(graceMs: number): Promise<void> {
    standstill?.stop()
    letGo()
    const isStopped = await within(graceMs, (runner?.stop() ?? Promise.resolve()).then(yes, no))
    unwatchListener()
    // The library does not wait for its last word on a job: it is let finish.
    if (isStopped) await queue.close()
    else queue.destroy()
  }
  try {
    runner = await begin(options, queue.pool, events, pulse)
    standstill = watchForStandstill(pulse, options.concurrency)
    const ended = runner.promise.then(
      (): RunnerEnd => ({ why: 'ended' }),
      (error): RunnerEnd => ({ why: 'ended', error }),
    )
    const over = Promise.race([ended, standstill.promise])
    const early = await Promise.race([looked.promise, over])
    if (early) throw new Unavailable('the worker could not look for jobs')
    return { id, over, end, isBusy: () => pulse.active > 0 }
  } catch (error) {
    await end(0)
    throw error
  }
}

// The library does not await its last word on a job. If it gets no connection for it any more, nothing is lost, because
// the rows say what to do. But no one would handle the failure.
function forgiveLastWords(pool: pg.Pool): () => void {
  const connect = pool.connect.bind(pool)
  let isEnding = false
  pool.connect = ((callback?: Parameters<typeof connect>[0]) => {
    if (callback) return connect(callback)
    return connect().catch((error) => {
      if (isEnding) return new Promise<never>(() => {})
      throw error
    })
  }) as typeof pool.connect
  return () => {
    isEnding = true
  }
}

async function begin(
  { concurrency, crontab, tasks, firstJobs, priority }: RunnerOptions,
  pool: pg.Pool,
  events: EventEmitter,
  pulse: Pulse,
): Promise<Runner> {
  const runner = await run({
    pgPool: pool,
    events: events as WorkerEvents,
    concurrency,
    noHandleSignals: true,
    crontab,
    // The library's messages quote payloads and errors; what a job did is logged by the job itself.
    logger: new Logger(() => () => {}),
    taskList: Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, counted(pulse, task)])),
  })
  // Its end is told by `over`.
  runner.promise.catch(() => {})
  await forgetTheFuture(pool)
  for (const job of firstJobs) await runner.addJob(job, {}, { jobKey: job, priority }).catch(() => {})
  return runner
}

// The library adds the jobs of a minute once, and only if the minute is later than the last one. If a clock was an hour ahead and
// is set back, it would add none for that hour: prices would grow stale. So such a runner ends, and the next one forgets the
// minutes that have not come yet. Clocks of two machines may differ a little.
async function forgetTheFuture(pool: pg.Pool): Promise<void> {
  await pool.query(
    `update graphile_worker._private_known_crontabs set last_execution = $1::timestamptz
      where last_execution > $1::timestamptz + interval '2 minutes'`,
    [Temporal.Now.instant().toString()],
  )
}

// `isRetry`: the job was begun before, even if it did nothing then.
export type Task = (payload: unknown, isRetry: boolean) => Promise<void>
export type TaskList = Record<string, Task>

function counted(pulse: Pulse, task: Task): LibraryTask {
  return async (payload, { job }) => {
    pulse.active += 1
    try {
      await task(payload, job.attempts > 1)
    } finally {
      pulse.active -= 1
      pulse.lookedAt = performance.now()
    }
  }
}

function watchForStandstill(pulse: Pulse, concurrency: number) {
  pulse.lookedAt = performance.now()
  const isClockSetBack = watchClock()
  const { promise, resolve } = Promise.withResolvers<RunnerEnd>()
  let tickedAt = performance.now()
  const timer = setInterval(() => {
    // A process that was itself stopped for a while has had no chance to look.
    if (performance.now() - tickedAt > STUCK_MS / 2) pulse.lookedAt = performance.now()
    tickedAt = performance.now()
    const patienceMs = pulse.active < concurrency ? STUCK_MS : ALL_BUSY_MS
    if (performance.now() - pulse.lookedAt > patienceMs) resolve({ why: 'standing still' })
    if (isClockSetBack()) resolve({ why: 'clock set back' })
  }, STUCK_MS / 4)
  timer.unref()
  return { promise, stop: () => clearInterval(timer) }
}

// The connection that listens asks nothing, so it would never learn that it is dead: it is asked for a sign of life.
function watchListener(events: EventEmitter): () => void {
  let timer: NodeJS.Timeout | undefined
  events.on('pool:listen:success', ({ client }: { client: BoundedClient }) => {
    clearInterval(timer)
    timer = setInterval(() => client.query('select 1').catch(() => {}), LISTENER_MS)
    timer.unref()
  })
  const stop = () => clearInterval(timer)
  for (const event of ['pool:listen:release', 'pool:listen:error']) events.on(event, stop)
  return stop
}

const yes = () => true
const no = () => false

// False when it takes longer.
async function within(ms: number, work: Promise<boolean>): Promise<boolean> {
  const timer = new AbortController()
  const late = sleep(ms, false, { signal: timer.signal }).catch(no)
  const outcome = await Promise.race([work, late])
  timer.abort()
  return outcome
}
