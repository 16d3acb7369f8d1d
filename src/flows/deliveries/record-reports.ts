import { Batcher } from '#base/queues/batch.ts'
import { type RecordDeps, recordOutcomes } from '#flows/deliveries/record-outcomes.ts'
import { findNoticeIds } from '#modules/deliveries/notices/sending.ts'
import { parseKey, parseNoticeKey } from '#modules/deliveries/rules.ts'
import { findDeliveryIds } from '#modules/deliveries/store.ts'
import type { AttemptOutcome, MessageOutcome } from '#modules/deliveries/types.ts'
import { filterUnknown } from '#modules/deliveries/unknown-attempts.ts'
import { insertLostAttempts } from '#modules/restorations/listings.ts'
import { readMarks } from '#modules/restorations/store.ts'
import type { LostAttempt } from '#modules/restorations/types.ts'

interface Reported {
  provider: string
  key: string
  attempt: number
  outcome: MessageOutcome
}

export type RecordReports = (
  provider: string,
  reports: readonly Omit<Reported, 'provider'>[],
) => Promise<void>

// Reports come one by one or by the hundred; they gather like purchases do. The same report again changes nothing.
export function createRecordReports(deps: RecordDeps): RecordReports {
  const batcher = new Batcher<Reported, undefined>({
    run: async (reports) => {
      const [cards, notices] = [
        await findCardAttempts(deps, reports),
        await findNoticeAttempts(deps, reports),
      ]
      await recordOutcomes(deps, 'delivery', cards)
      await recordOutcomes(deps, 'notice', notices)
      if (cards.length + notices.length < reports.length) await keepLost(deps, reports)
      return reports.map(() => undefined)
    },
    maxSize: 500,
    maxInFlight: 1,
    maxWaiting: 20_000, // some seconds' work; a provider that is turned away posts again
  })
  return async (provider, reports) => {
    await Promise.all(reports.map((report) => batcher.submit({ ...report, provider })))
  }
}

// After a restore, reports also come for messages that this database has lost.
async function keepLost({ database }: RecordDeps, reports: readonly Reported[]): Promise<void> {
  if (!(await readMarks(database.db))) return
  const attempts = reports.map(({ provider, key, attempt, outcome }): LostAttempt => {
    const channel = key.split('.')[1] ?? ''
    const delivered = outcome.kind === 'delivered'
    const messageId = 'messageId' in outcome ? outcome.messageId : null
    return {
      key,
      attempt,
      provider,
      channel,
      messageId,
      recipient: null,
      sentAt: Temporal.Now.instant(),
      delivered,
    }
  })
  await database.withTransaction(async (tx) => insertLostAttempts(tx, await filterUnknown(tx, attempts)))
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
