import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import type { Runtime } from '#app/runtime.ts'
import { openDatabase } from '#base/db.ts'
import { failureFields } from '#base/db-errors.ts'
import { stackOf } from '#base/log.ts'
import { askDeliveries } from '#jobs/ask-deliveries.ts'
import { finishRotation } from '#jobs/finish-rotation.ts'
import { forgetOldKeys } from '#jobs/forget-old-keys.ts'
import { forgetOldLogins } from '#jobs/forget-old-logins.ts'
import { forgetOldQuotes } from '#jobs/forget-old-quotes.ts'
import { lookAfterCards } from '#jobs/look-after-cards.ts'
import { type PriceDeps, pollPrices } from '#jobs/poll-prices.ts'
import { type DeliveryDeps, sendDeliveries } from '#jobs/send-deliveries.ts'
import { sendNotices } from '#jobs/send-notices.ts'
import { createStationery } from '#jobs/stationery.ts'
import { sweepDeliveriesJob } from '#jobs/sweep-deliveries.ts'
import { verifyBooksJob } from '#jobs/verify-books.ts'

// Cron in UTC: 18:30 is half past three at night in Seoul.
const CRONTAB = `
  * * * * * sweep_deliveries
  * * * * * poll_prices
  */10 * * * * look_after_cards
  7 * * * * forget_old_keys
  17 * * * * forget_old_logins
  */5 * * * * forget_old_quotes
  */5 * * * * finish_rotation
  30 18 * * * verify_books`

const RESTART_MS = 2_000
const STUCK_MS = 10_000 // five times the interval at which the library looks for jobs

// Messages wait for their providers most of the time: so many requests are under way at once. More would only queue up
// in front of two cores.
const CONCURRENCY = 6

// What a job is handed.
type Jobs = Pick<Runtime, 'log' | 'keys' | 'keyRing'> & DeliveryDeps & PriceDeps & { pulse: Pulse }
export type Messaging = Pick<DeliveryDeps, 'providers' | 'routes' | 'imprint' | 'onChange'>
export type Pricing = Pick<PriceDeps, 'prices' | 'onReading'>

// What runs later. The worker has connections of its own: LISTEN needs one that stays, and a busy job must
// not take one from a purchase.
export async function startWorker(
  runtime: Runtime,
  messaging: Messaging,
  pricing: Pricing,
): Promise<{ stop(): Promise<void> }> {
  const { log } = runtime
  const pool = new pg.Pool({
    ...runtime.connection,
    max: CONCURRENCY + 2, // and one each to listen and to look for jobs
    application_name: 'ingot worker',
    // The library's own statements are short, and one that never returns would stop the worker for good.
    connectionTimeoutMillis: 5_000,
    query_timeout: 8_000,
    keepAlive: true,
  })
  const onError = (error: Error) => log.warn('worker connection lost', failureFields(error))
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  const database = openDatabase({
    connection: runtime.connection,
    maxConnections: CONCURRENCY,
    onIdleError: onError,
  })
  const jobs: Jobs = {
    database,
    log,
    keys: runtime.keys,
    keyRing: runtime.keyRing,
    stationery: createStationery(database),
    pulse: { active: 0, lookedAt: performance.now() },
    ...messaging,
    ...pricing,
  }
  const events = new EventEmitter()
  let runner = await begin(jobs, pool, events)
  const stopping = new AbortController()
  const watch = watchForStandstill(events, jobs.pulse, () => {
    log.error('worker stands still')
    runner.stop().catch(onError)
  })

  // It reconnects by itself; should it end all the same, it is started anew.
  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      await runner.promise.catch((error) => log.error('worker ended', failureFields(error)))
      await sleep(RESTART_MS, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      runner = await begin(jobs, pool, events).catch((error) => {
        onError(error)
        return runner
      })
    }
  }
  const kept = keepRunning()
  return {
    async stop() {
      stopping.abort()
      clearInterval(watch)
      await runner.stop().catch(onError)
      await kept
      await pool.end()
      await database.close()
    },
  }
}

// What keeps a worker from being taken for one that stands still: jobs under way, or a look for jobs that succeeded.
interface Pulse {
  active: number
  lookedAt: number
}

// Cut off while it asks its first question, the library remembers the failure, and every look for jobs fails
// from then on without a word. What counts is therefore the last look that succeeded. Which jobs are under way is counted
// by ourselves: of one whose end it could not write down the library does not tell.
function watchForStandstill(events: EventEmitter, pulse: Pulse, onStandstill: () => void): NodeJS.Timeout {
  for (const looked of ['worker:getJob:empty', 'job:start']) {
    events.on(looked, () => {
      pulse.lookedAt = performance.now()
    })
  }
  return setInterval(() => {
    if (pulse.active > 0 || performance.now() - pulse.lookedAt < STUCK_MS) return
    pulse.lookedAt = performance.now()
    onStandstill()
  }, STUCK_MS / 4).unref()
}

async function begin(jobs: Jobs, pool: pg.Pool, events: EventEmitter): Promise<Runner> {
  const runner = await run({
    pgPool: pool,
    events: events as WorkerEvents,
    concurrency: CONCURRENCY,
    noHandleSignals: true,
    crontab: CRONTAB,
    // The library's messages quote payloads and errors; what a job did is logged by the job itself.
    logger: new Logger(() => () => {}),
    taskList: tasksOf(jobs),
  })
  // What a worker left that is gone, or a release before this one, is looked for at once; failing that, in a minute.
  for (const job of ['sweep_deliveries', 'poll_prices']) {
    await runner.addJob(job, {}, { jobKey: job }).catch(() => {})
  }
  return runner
}

function tasksOf(jobs: Jobs): TaskList {
  const tasks: Record<string, (payload: unknown) => Promise<void>> = {
    send_deliveries: (payload) => sendDeliveries(jobs, payload),
    ask_deliveries: (payload) => askDeliveries(jobs, 'delivery', payload),
    send_notices: (payload) => sendNotices(jobs, payload),
    ask_notices: (payload) => askDeliveries(jobs, 'notice', payload),
    sweep_deliveries: () => sweepDeliveriesJob(jobs),
    look_after_cards: () => lookAfterCards(jobs),
    forget_old_keys: () => forgetOldKeys(jobs),
    forget_old_logins: () => forgetOldLogins(jobs),
    forget_old_quotes: () => forgetOldQuotes(jobs),
    poll_prices: () => pollPrices(jobs),
    finish_rotation: () => finishRotation(jobs),
    verify_books: () => verifyBooksJob(jobs),
  }
  return Object.fromEntries(Object.entries(tasks).map(([name, work]) => [name, told(jobs, name, work)]))
}

// The library keeps a failed job's message in its row, and messages quote values: the row gets the name of the failure,
// the log its place.
function told({ log, pulse }: Jobs, job: string, work: (payload: unknown) => Promise<void>) {
  return async (payload: unknown): Promise<void> => {
    pulse.active += 1
    try {
      await work(payload)
    } catch (error) {
      const fields = failureFields(error)
      log.error('job failed', { job, ...fields, stack: stackOf(error) })
      throw new Error([fields.error, fields.sqlState].filter(Boolean).join(' '))
    } finally {
      pulse.active -= 1
      pulse.lookedAt = performance.now()
    }
  }
}
