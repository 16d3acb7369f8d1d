import type { Database } from '#base/db.ts'
import { type NoteDeps, noteDeliveries } from '#flows/note-deliveries.ts'
import { hasBacklog, listNeglected, type Neglected } from '#modules/deliveries/questions.ts'
import { addDeliveryJob, type DeliveryTask } from '#modules/deliveries/store.ts'

const NEGLECTED_MS = 20_000
const LOOK_AT = 5_000 // a minute's work of the workers, at most
const PER_JOB = 200

// Finds messages that nobody looks after: their job died with its worker, was given up, or was never made. The rows
// say what is to be done; jobs only hasten it.
export async function sweepDeliveries(deps: NoteDeps): Promise<{ lost: number; unsent: number }> {
  const neglected = await listNeglected(deps.database.db, { afterMs: NEGLECTED_MS, limit: LOOK_AT })
  const [lost, left] = [neglected.filter((one) => one.claimed), neglected.filter((one) => !one.claimed)]
  // An attempt that was begun and never ended may have happened.
  await noteDeliveries(
    deps,
    lost.map(({ id, attempt }) => ({ id, attempt, word: { kind: 'unknown', reason: 'worker_lost' } })),
  )
  if (left.length > 0 && !(await hasBacklog(deps.database.db))) await addJobs(deps.database, left)
  return { lost: lost.length, unsent: left.filter(({ status }) => status === 'queued').length }
}

function addJobs(database: Database, left: readonly Neglected[]): Promise<void> {
  return database.withTransaction(async (tx) => {
    const alike = Map.groupBy(left, ({ status, channel }) => `${taskOf(status)} ${channel}`)
    for (const members of alike.values()) {
      const { status, channel } = members[0]!
      for (let i = 0; i < members.length; i += PER_JOB) {
        const ids = members.slice(i, i + PER_JOB).map(({ id }) => id)
        await addDeliveryJob(tx, taskOf(status), { channel, ids, inMs: 0 })
      }
    }
  })
}

function taskOf(status: Neglected['status']): DeliveryTask {
  return status === 'queued' ? 'send_deliveries' : 'ask_deliveries'
}
