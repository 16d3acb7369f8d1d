import type { Database } from '#base/db/db.ts'
import { type RecordDeps, recordOutcomes } from '#flows/deliveries/record-outcomes.ts'
import { companyOf } from '#modules/deliveries/rules.ts'
import { addDeliveryJob, type DeliveryTask } from '#modules/deliveries/store.ts'
import type { MessageKind } from '#modules/deliveries/types.ts'
import { listNeglected, type Neglect, type Neglected } from '#modules/deliveries/waiting.ts'

const NEGLECTED_MS = 20_000
// For each kind, so that none keeps another waiting. A minute's work for the workers if no report comes at all.
const LOOK_AT = 50_000
const LOST_AT_ONCE = 1_000

const TASKS: readonly (readonly [Neglect, DeliveryTask])[] = [
  ['queued', 'send'],
  ['unknown', 'query'],
  ['accepted', 'query'],
]

// Finds messages without a job: it died with its worker, was given up, or was never made. The rows say what to do;
// jobs only hasten it.
export async function sweepDeliveries(
  deps: RecordDeps,
  kind: MessageKind,
): Promise<{ lost: number; unsent: number }> {
  const { db } = deps.database
  const lost = await noteLost(deps, kind)
  // All are looked for first: jobs that are added would count as a backlog.
  const found = await Promise.all(
    TASKS.map(async ([neglect, task]) => {
      const left = await listNeglected(db, kind, neglect, { afterMs: NEGLECTED_MS, limit: LOOK_AT })
      return { neglect, task, left }
    }),
  )
  for (const { task, left } of found) {
    const jobless = left.filter(({ hasJob }) => !hasJob)
    if (jobless.length > 0) await addJobs(deps.database, kind, task, jobless)
  }
  const unsent = found.find(({ neglect }) => neglect === 'queued')!.left.length
  return { lost, unsent }
}

// An attempt that was begun and never ended may have happened.
async function noteLost(deps: RecordDeps, kind: MessageKind): Promise<number> {
  for (let total = 0; ; ) {
    const lost = await listNeglected(deps.database.db, kind, 'lost', { afterMs: 0, limit: LOST_AT_ONCE })
    await recordOutcomes(
      deps,
      kind,
      lost.map(({ id, attempt }) => ({ id, attempt, outcome: { kind: 'unknown', reason: 'worker_lost' } })),
    )
    total += lost.length
    if (lost.length < LOST_AT_ONCE) return total
  }
}

function addJobs(
  database: Database,
  kind: MessageKind,
  task: DeliveryTask,
  left: readonly Neglected[],
): Promise<void> {
  return database.withTransaction(async (tx) => {
    const alike = Map.groupBy(left, ({ channel, absences }) => `${channel} ${absences}`)
    for (const members of alike.values()) {
      const { channel, absences } = members[0]!
      const size = companyOf(task === 'send' ? absences : 0)
      for (let i = 0; i < members.length; i += size) {
        const some = members.slice(i, i + size)
        await addDeliveryJob(tx, kind, task, {
          channel,
          ids: some.map(({ id }) => id),
          // Ahead of what was due later.
          due: some[0]!.dueAt,
          together: task === 'send' && absences === 0,
        })
      }
    }
  })
}
