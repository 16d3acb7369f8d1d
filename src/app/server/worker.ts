import { outsideOf } from '#app/audit/anchor-file.ts'
import { startSealer } from '#app/audit/keep-sealed.ts'
import { rotationWords } from '#app/commands/vault-keys.ts'
import { schemaVersion } from '#app/database/migration-files.ts'
import type { Runtime } from '#app/runtime.ts'
import { openDatabase } from '#base/db/db.ts'
import { failureFields } from '#base/db/errors.ts'
import { stackOf } from '#base/log.ts'
import { traced } from '#base/tracing.ts'
import { alertCreditJob } from '#jobs/alert-credit.ts'
import { closeBooks } from '#jobs/close-books.ts'
import { examineRestorations } from '#jobs/examine-restorations.ts'
import { finishRotation } from '#jobs/finish-rotation.ts'
import { forgetOldKeys } from '#jobs/forget-old-keys.ts'
import { forgetOldLogins } from '#jobs/forget-old-logins.ts'
import { forgetOldQuotes } from '#jobs/forget-old-quotes.ts'
import { forgetOldRecords } from '#jobs/forget-old-records.ts'
import { indexPeopleJob } from '#jobs/index-people.ts'
import { keepFigures } from '#jobs/keep-figures.ts'
import { maintainCards } from '#jobs/maintain-cards.ts'
import { createMessageSettings } from '#jobs/message-settings.ts'
import { createPace, type Pace } from '#jobs/pace.ts'
import { type PriceDeps, pollPrices } from '#jobs/poll-prices.ts'
import { queryStatus } from '#jobs/query-status.ts'
import { retryDeliveries } from '#jobs/retry-deliveries.ts'
import { type DeliveryDeps, sendDeliveries } from '#jobs/send-deliveries.ts'
import { sendNotices } from '#jobs/send-notices.ts'
import { sweepDeliveriesJob } from '#jobs/sweep-deliveries.ts'
import { unlockJobs } from '#jobs/unlock-jobs.ts'
import { type VerifyDeps, verifyBooksJob } from '#jobs/verify-books.ts'
import { type JobRunner, startJobRunner, type Task, type TaskList } from './job-runner.ts'
import { keepRunning, type Worker } from './keep-running.ts'

// Cron in UTC: 18:30 is half past three at night in Seoul.
const SCHEDULE = {
  sweep_deliveries: '* * * * *',
  poll_prices: '* * * * *',
  unlock_jobs: '* * * * *',
  index_people: '* * * * *',
  close_books: '* * * * *',
  alert_credit: '* * * * *',
  retry_deliveries: '* * * * *',
  look_after_cards: '*/10 * * * *',
  forget_old_keys: '7 * * * *',
  forget_old_logins: '17 * * * *',
  forget_old_records: '27 * * * *',
  forget_old_quotes: '*/5 * * * *',
  finish_rotation: '*/5 * * * *',
  examine_restorations: '*/10 * * * *',
  verify_books: '30 18 * * *',
}

// Ahead of messages. After an hour on a full machine tens of thousands of their jobs may wait. Behind them prices would grow stale,
// and messages without an outcome would not be asked about. A job that still waits is not added again.
const AHEAD = -20
export const CRONTAB = Object.entries(SCHEDULE)
  .map(([task, when]) => `${when} ${task} ?jobKey=${task}&priority=${AHEAD}`)
  .join('\n')

// Messages wait for their providers most of the time: so many requests are under way at once. More would only queue up
// in front of two cores.
const CONCURRENCY = 6

// What a job gets.
type Jobs = Pick<Runtime, 'log' | 'keys' | 'keyRing'> & DeliveryDeps & PriceDeps & VerifyDeps
export type Messaging = Pick<DeliveryDeps, 'providers' | 'imprint' | 'onChange'>
export type Pricing = Pick<PriceDeps, 'prices' | 'onReading'>

// Run at the start: they find what a dead worker or an earlier release left. If one fails, it runs again in a minute.
const FIRST_JOBS = ['examine_restorations', 'sweep_deliveries', 'poll_prices', 'unlock_jobs']

const MOVING = 'the installation is being moved: `ingot move --to TARGET` or `ingot move --undo` ends that'
const NOT_ADOPTED = 'DATA_DIR was copied or moved: `ingot adopt` says that it is the one'

// What runs later. The worker has connections of its own: LISTEN needs one that stays, and a busy job must
// not take one from a purchase.
export function startWorker(
  runtime: Runtime,
  messaging: Messaging,
  pricing: Pricing,
  isBeingMoved: () => boolean,
  // Before each turn with messages, as many times as long as the last one took. None where nothing else runs.
  rest: () => number = () => 0,
): Worker {
  return keepRunning({
    log: runtime.log,
    pausedBy: () => (isBeingMoved() ? MOVING : runtime.adoption?.isAwaited() ? NOT_ADOPTED : undefined),
    begin: () => beginJobs(runtime, { ...messaging, ...pricing, pace: createPace(rest) }, rest),
    isDatabaseThere: () =>
      runtime.database.read({ name: 'is_there', text: 'select 1' }, []).then(
        () => true,
        () => false,
      ),
  })
}

// A runner and the connections of its jobs, which end with it.
async function beginJobs(
  runtime: Runtime,
  given: Messaging & Pricing & { pace: Pace },
  rest: () => number,
): Promise<JobRunner> {
  const { log, connection, keys, keyRing } = runtime
  const onLost = (error: Error) => log.warn('worker connection lost', failureFields(error))
  const database = openDatabase({
    connection,
    maxConnections: CONCURRENCY,
    onIdleError: onLost,
    // Shared with the API, so that `/readyz` also learns from the writes of jobs.
    writes: runtime.database.writes,
  })
  const jobs: Jobs = {
    database,
    log,
    keys,
    keyRing,
    settings: createMessageSettings(database),
    outside: () => outsideOf(runtime.config.dataDir),
    ...given,
  }
  const tasks = tasksOf(jobs)
  const options = {
    connection,
    concurrency: CONCURRENCY,
    crontab: CRONTAB,
    tasks,
    firstJobs: FIRST_JOBS,
    priority: AHEAD,
    onLost,
  }
  try {
    const runner = await startJobRunner(options)
    const figures = keepFigures(jobs)
    const sealer = startSealer({ database, keys, log, config: runtime.config, rest })
    return {
      ...runner,
      async end(graceMs) {
        const ended = [figures.stop(), sealer.stop()]
        await runner.end(graceMs)
        // What is under way is cut off with its connection.
        await Promise.all([...ended, database.close()])
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

function tasksOf(jobs: Jobs): TaskList {
  const tasks: TaskList = {
    send_deliveries: (payload, isRetry) => sendDeliveries(jobs, payload, isRetry),
    ask_deliveries: (payload) => queryStatus(jobs, 'delivery', payload),
    send_notices: (payload, isRetry) => sendNotices(jobs, payload, isRetry),
    ask_notices: (payload) => queryStatus(jobs, 'notice', payload),
    retry_deliveries: () => retryDeliveries(jobs),
    sweep_deliveries: () => sweepDeliveriesJob(jobs),
    // Jobs of this name wait in databases, and an older release beside us knows no other: it is not renamed.
    look_after_cards: () => maintainCards(jobs),
    examine_restorations: () => examineRestorations(jobs),
    forget_old_keys: () => forgetOldKeys(jobs),
    forget_old_logins: () => forgetOldLogins(jobs),
    forget_old_records: () => forgetOldRecords(jobs),
    forget_old_quotes: () => forgetOldQuotes(jobs),
    poll_prices: () => pollPrices(jobs),
    finish_rotation: () =>
      finishRotation({ ...jobs, schemaVersion: schemaVersion(), explain: rotationWords }),
    unlock_jobs: () => unlockJobs(jobs),
    index_people: () => indexPeopleJob(jobs),
    verify_books: () => verifyBooksJob(jobs),
    close_books: () => closeBooks(jobs),
    alert_credit: () => alertCreditJob(jobs),
  }
  return Object.fromEntries(Object.entries(tasks).map(([name, work]) => [name, told(jobs, name, work)]))
}

// The library keeps a failed job's message in its row, and messages quote values: the row gets the name of the failure,
// the log its place.
function told({ log }: Jobs, job: string, work: Task): Task {
  return async (payload, isRetry) => {
    try {
      await traced(`job ${job}`, 'consumer', {}, () => work(payload, isRetry))
    } catch (error) {
      const fields = failureFields(error)
      log.error('job failed', { job, ...fields, stack: stackOf(error) })
      throw new Error([fields.error, fields.sqlState].filter(Boolean).join(' '))
    }
  }
}
