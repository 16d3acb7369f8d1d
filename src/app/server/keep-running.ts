import { setTimeout as sleep } from 'node:timers/promises'
import { failureFields } from '#base/db/errors.ts'
import type { Log } from '#base/log.ts'
import type { JobRunner, RunnerEnd } from './job-runner.ts'

export type WorkerStatus = 'starting' | 'running' | 'standing still' | 'paused'

export interface Worker {
  status(): WorkerStatus
  // When it ran for the first time. Never rejects.
  readonly started: Promise<void>
  // It cannot be brought to work although the database answers.
  readonly hopeless: Promise<void>
  // The names under which this process has locked jobs.
  names(): string[]
  stop(): Promise<void>
}

interface Keeping {
  log: Log
  // Why nothing may be done now, if so: said by `status`, and no reason to keep the process from being ready.
  pausedBy?(): string | undefined
  begin(): Promise<JobRunner>
  isDatabaseThere(): Promise<boolean>
  // Between two runners, and so much more with each setback.
  restartMs?: number
}

const RESTART_MS = 500
const PAUSED_MS = 1_000
const RESTART_MAX_MS = 5_000
const STUCK_GRACE_MS = 3_000 // what stands still is not waited for
const STOP_GRACE_MS = 20_000 // requests to providers end in half of that
const SETTLED_MS = 60_000
const HOPELESS_AFTER = 10 // setbacks in a row, about a minute

// Keeps a job runner running: when one ends, stands still or lives in the future, another takes its place. A runner that cannot be stopped
// is cut off from the database. Its jobs fail there, as if the process were killed.
export function keepRunning(keeping: Keeping): Worker {
  const { log, pausedBy = () => undefined, begin, isDatabaseThere, restartMs = RESTART_MS } = keeping
  const stopping = new AbortController()
  const started = Promise.withResolvers<void>()
  const hopeless = Promise.withResolvers<void>()
  const stopped = new Promise<{ why: 'stopping' }>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve({ why: 'stopping' }))
  })
  // The present runner, and former ones that still hold a job.
  let runners: JobRunner[] = []
  let status: WorkerStatus = 'starting'
  let setbacks = 0

  // One runner, from its start to its end.
  async function runOne(): Promise<void> {
    const runner = await begin()
    const beganAt = performance.now()
    runners = [...runners.filter((other) => other.isBusy()), runner]
    status = 'running'
    started.resolve()
    const pause = untilPaused(pausedBy)
    const end = await Promise.race([runner.over, stopped, pause.promise])
    pause.cancel()
    if (end.why === 'standing still') status = end.why
    tellEnd(log, end)
    if (performance.now() - beganAt > SETTLED_MS) setbacks = 0
    const isBroken = end.why === 'ended' || end.why === 'standing still'
    await runner.end(isBroken ? STUCK_GRACE_MS : STOP_GRACE_MS)
  }

  const rest = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {})

  async function waitWhilePaused(): Promise<void> {
    const reason = pausedBy()
    if (reason === undefined) return
    log.error('worker paused', { reason })
    status = 'paused'
    started.resolve()
    while (!stopping.signal.aborted && pausedBy() !== undefined) await rest(PAUSED_MS)
    if (!stopping.signal.aborted) log.warn('worker no longer paused')
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await waitWhilePaused()
      if (stopping.signal.aborted) return
      await runOne().catch((error) => {
        if (status === 'running') status = 'standing still'
        log.warn('worker not started', failureFields(error))
      })
      if (pausedBy() !== undefined) continue
      setbacks += 1
      if (setbacks >= HOPELESS_AFTER && (await isDatabaseThere())) hopeless.resolve()
      await rest(Math.min(restartMs * setbacks, RESTART_MAX_MS))
    }
  }

  const looping = loop()
  return {
    status: () => status,
    started: started.promise,
    hopeless: hopeless.promise,
    names: () =>
      runners.filter((runner, i) => i === runners.length - 1 || runner.isBusy()).map(({ id }) => id),
    async stop() {
      stopping.abort()
      await looping
    },
  }
}

function tellEnd(log: Log, end: RunnerEnd | { why: 'stopping' | 'paused' }): void {
  if (end.why === 'standing still') log.error('worker stands still')
  if (end.why === 'clock set back') log.warn('the clock was set back: the worker starts again')
  if (end.why === 'ended') log.error('worker ended', end.error === undefined ? {} : failureFields(end.error))
}

function untilPaused(pausedBy: () => string | undefined) {
  const { promise, resolve } = Promise.withResolvers<{ why: 'paused' }>()
  const timer = setInterval(() => pausedBy() !== undefined && resolve({ why: 'paused' }), PAUSED_MS / 2)
  timer.unref()
  return { promise, cancel: () => clearInterval(timer) }
}
