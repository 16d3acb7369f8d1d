import type { Database } from '#base/db/db.ts'
import { Batcher } from '#base/queues/batch.ts'
import { newHashKey } from '#modules/sessions/rules.ts'
import { insertHashKeys } from '#modules/sessions/store.ts'
import type { HashKey, HashKeyRefusal } from '#modules/sessions/types.ts'

// linkId: whose key it is; null if there is no such user.
type HashKeyOutcome = { linkId: string | null } & (
  | { kind: 'issued'; key: HashKey; expiresAt: Temporal.Instant }
  | { kind: 'refused'; reason: HashKeyRefusal }
)

export type IssueHashKey = (partnerId: number, partnerKey: string) => Promise<HashKeyOutcome>

// A new hash key for every call, the key itself only in the answer. In batches, as every write.
export function createIssueHashKey(database: Database, onBatch: (size: number) => void): IssueHashKey {
  const batcher = new Batcher({
    run: (wanted: readonly { partnerId: number; partnerKey: string; hash: Buffer }[]) =>
      insertHashKeys(database, wanted),
    maxSize: 128,
    maxInFlight: 2,
    overlapFrom: 16,
    maxWaiting: 2_000,
    onBatch,
  })
  return async (partnerId, partnerKey) => {
    const { key, hash } = newHashKey()
    const issued = await batcher.submit({ partnerId, partnerKey, hash })
    return issued.outcome === 'issued'
      ? { kind: 'issued', key, expiresAt: issued.expiresAt, linkId: issued.linkId }
      : { kind: 'refused', reason: issued.outcome, linkId: issued.linkId }
  }
}
