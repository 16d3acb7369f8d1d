import { Batcher } from '#base/queues/batch.ts'
import { type RecordDeps, recordOutcomes } from '#flows/deliveries/record-outcomes.ts'
import { findNoticeIds } from '#modules/deliveries/notices/sending.ts'
import { parseKey, parseNoticeKey } from '#modules/deliveries/rules.ts'
import { findDeliveryIds } from '#modules/deliveries/store.ts'
import type { AttemptOutcome, MessageOutcome } from '#modules/deliveries/types.ts'

interface Reported {
  key: string
  attempt: number
  outcome: MessageOutcome
}

export type RecordReports = (reports: readonly Reported[]) => Promise<void>

// Reports come one by one or by the hundred; they gather like purchases do. The same report again changes nothing.
export function createRecordReports(deps: RecordDeps): RecordReports {
  const batcher = new Batcher<Reported, undefined>({
    run: async (reports) => {
      await recordOutcomes(deps, 'delivery', await findCardAttempts(deps, reports))
      await recordOutcomes(deps, 'notice', await findNoticeAttempts(deps, reports))
      return reports.map(() => undefined)
    },
    maxSize: 500,
    maxInFlight: 1,
    maxWaiting: 20_000, // some seconds' work; a provider that is turned away posts again
  })
  return async (reports) => {
    await Promise.all(reports.map((report) => batcher.submit(report)))
  }
}

async function findCardAttempts(
  { database }: RecordDeps,
  reports: readonly Reported[],
): Promise<AttemptOutcome[]> {
  const ours = reports.flatMap(({ key, attempt, outcome }) => {
    const parsed = parseKey(key)
    return parsed ? [{ key: parsed, attempt, outcome }] : []
  })
  const ids = await findDeliveryIds(
    database,
    ours.map(({ key }) => key),
  )
  return ours.flatMap(({ attempt, outcome }, i) => {
    const id = ids[i]
    return id === undefined ? [] : [{ id, attempt, outcome }]
  })
}

async function findNoticeAttempts(
  { database }: RecordDeps,
  reports: readonly Reported[],
): Promise<AttemptOutcome[]> {
  const ours = reports.flatMap(({ key: text, attempt, outcome }) => {
    const key = parseNoticeKey(text)
    return key ? [{ key, attempt, outcome }] : []
  })
  if (ours.length === 0) return []
  const ids = await findNoticeIds(
    database,
    ours.map(({ key }) => key),
  )
  return ours.flatMap(({ attempt, outcome }, i) => {
    const id = ids[i]
    return id === undefined ? [] : [{ id, attempt, outcome }]
  })
}
