import { Batcher } from '#base/batch.ts'
import { type NoteDeps, noteDeliveries } from '#flows/deliveries/record-answers.ts'
import { findNoticeIds } from '#modules/deliveries/notices/sending.ts'
import { parseKey, parseNoticeKey } from '#modules/deliveries/rules.ts'
import { findDeliveryIds } from '#modules/deliveries/store.ts'
import type { Heard, Word } from '#modules/deliveries/types.ts'

interface Reported {
  key: string
  attempt: number
  word: Word
}

export type RecordReports = (reports: readonly Reported[]) => Promise<void>

// Reports come one by one or by the hundred; they gather like purchases do. The same report again changes nothing.
export function createRecordReports(deps: NoteDeps): RecordReports {
  const batcher = new Batcher<Reported, undefined>({
    run: async (reports) => {
      await noteDeliveries(deps, 'delivery', await findHeard(deps, reports))
      await noteDeliveries(deps, 'notice', await findHeardOfNotices(deps, reports))
      return reports.map(() => undefined)
    },
    maxSize: 500,
    maxInFlight: 1,
    maxWaiting: 20_000, // some seconds' work; whoever is turned away posts again
  })
  return async (reports) => {
    await Promise.all(reports.map((report) => batcher.submit(report)))
  }
}

async function findHeard({ database }: NoteDeps, reports: readonly Reported[]): Promise<Heard[]> {
  const ours = reports.flatMap(({ key, attempt, word }) => {
    const parsed = parseKey(key)
    return parsed ? [{ key: parsed, attempt, word }] : []
  })
  const ids = await findDeliveryIds(
    database,
    ours.map(({ key }) => key),
  )
  return ours.flatMap(({ attempt, word }, i) => {
    const id = ids[i]
    return id === undefined ? [] : [{ id, attempt, word }]
  })
}

async function findHeardOfNotices({ database }: NoteDeps, reports: readonly Reported[]): Promise<Heard[]> {
  const ours = reports.flatMap(({ key: text, attempt, word }) => {
    const key = parseNoticeKey(text)
    return key ? [{ key, attempt, word }] : []
  })
  if (ours.length === 0) return []
  const ids = await findNoticeIds(
    database,
    ours.map(({ key }) => key),
  )
  return ours.flatMap(({ attempt, word }, i) => {
    const id = ids[i]
    return id === undefined ? [] : [{ id, attempt, word }]
  })
}
