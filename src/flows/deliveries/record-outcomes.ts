import type { Database, Tx } from '#base/db/db.ts'
import { companyOf, decide } from '#modules/deliveries/rules.ts'
import { addDeliveryJob, lockDeliveries, writeChanges } from '#modules/deliveries/store.ts'
import type {
  AttemptOutcome,
  Channel,
  DeliveryChange,
  DeliveryState,
  MessageKind,
  Provider,
} from '#modules/deliveries/types.ts'

// Notices are marked, because operators watch them apart from the cards' texts.
export type OnDeliveryChange = (change: DeliveryChange, channel: Channel | 'notice') => void

export interface RecordDeps {
  database: Database
  providers: readonly Provider[]
  onChange: OnDeliveryChange
}

// The sweep, which runs every minute, finds everything that is due later than this.
const FOLLOW_UP_MS = 45_000

// Records the outcomes of attempts, from any source. Commits before anything relies on it.
export async function recordOutcomes(
  { database, providers, onChange }: RecordDeps,
  kind: MessageKind,
  outcomes: readonly AttemptOutcome[],
): Promise<void> {
  if (outcomes.length === 0) return
  const noted = await database.withTransaction(async (tx) => {
    const byMessage = Map.groupBy(outcomes, ({ id }) => id)
    const states = await lockDeliveries(tx, kind, [...byMessage.keys()])
    const channels = new Map(states.map(({ id, channel }) => [id, channel]))
    const changes = states.flatMap((state) => applyOutcomes(state, byMessage.get(state.id)!, providers) ?? [])
    if (changes.length > 0) {
      await writeChanges(tx, kind, changes)
      await addFollowUps(tx, kind, changes, (id) => channels.get(id)!)
    }
    return { changes, channels }
  })
  for (const change of noted.changes) {
    onChange(change, kind === 'notice' ? kind : noted.channels.get(change.id)!)
  }
}

// Several words on one message, one after the other: what they come to.
function applyOutcomes(
  state: DeliveryState,
  outcomes: readonly AttemptOutcome[],
  providers: readonly Provider[],
): DeliveryChange | undefined {
  let last: DeliveryChange | undefined
  let now = state
  for (const outcome of outcomes) {
    const change = decide(now, outcome, providers)
    if (!change) continue
    last = { ...change, isNews: change.isNews || (last?.isNews ?? false) }
    now = { ...now, ...change, claimed: false, settled: change.dueInMs === null }
  }
  return last
}

// Jobs for the messages that are due again soon. Messages that are due together share a job, as many as may share a request.
export async function addFollowUps(
  tx: Tx,
  kind: MessageKind,
  changes: readonly DeliveryChange[],
  channelOf: (id: bigint) => Channel,
): Promise<void> {
  const soon = changes.filter(({ dueInMs }) => dueInMs !== null && dueInMs <= FOLLOW_UP_MS)
  const jobs = Map.groupBy(soon, ({ id, status, absences, dueInMs }) => {
    const step = dueInMs! < 1_000 ? 100 : 1_000
    const inMs = Math.ceil(dueInMs! / step) * step
    return status === 'queued'
      ? `send ${channelOf(id)} ${inMs} ${absences}`
      : `ask ${channelOf(id)} ${inMs} 0`
  })
  for (const [job, members] of jobs) {
    const [task, channel, inMs, absences] = job.split(' ')
    const size = companyOf(Number(absences))
    for (let i = 0; i < members.length; i += size) {
      await addDeliveryJob(tx, kind, task === 'send' ? 'send' : 'query', {
        channel: channel as Channel,
        ids: members.slice(i, i + size).map(({ id }) => id),
        due: Number(inMs),
        together: task === 'send' && absences === '0',
      })
    }
  }
}
