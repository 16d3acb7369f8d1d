import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import type { Pipeline } from '#base/db/db.ts'
import type { Held, PurchaseTerms, SealedPurchase } from '#modules/gift-cards/store.ts'
import type { PurchaseOutcome } from '#modules/gift-cards/types.ts'
import { purchaseLines, type WriteBatch } from './purchase-lines.ts'

type Outcome = PurchaseOutcome | Held

const PIPELINE = {} as Pipeline
const lockTimeout = () => Object.assign(new DatabaseError('lock', 4, 'error'), { code: '55P03' })
const purchase = (partnerId: number, giftId: string) => ({ partnerId, giftId }) as unknown as SealedPurchase
const issued = ({ giftId }: SealedPurchase) =>
  ({ kind: 'issued', card: { giftId, txId: giftId } }) as unknown as Outcome

// What a line of several partners sends, and what it makes of the answers.
function sharedLine(
  answer: (terms: PurchaseTerms, batch: readonly SealedPurchase[]) => Promise<Outcome[]>,
  own: ReadonlySet<number> = new Set(),
) {
  const sent: { shared: PurchaseTerms['shared']; gifts: string[] }[] = []
  let write: WriteBatch | undefined
  const lines = purchaseLines<SealedPurchase>(
    async (_pipeline, terms, batch) => {
      sent.push({ shared: terms.shared, gifts: batch.map(({ giftId }) => giftId) })
      return answer(terms, batch)
    },
    (open) => {
      write = open
      return () => Promise.reject(new Error('batches only'))
    },
    { connections: 12 },
  )
  lines.openShared((partnerId) => own.has(partnerId))
  return { sent, write: (batch: readonly SealedPurchase[]) => write!(PIPELINE, 1, batch) }
}

test('what waited for a lock in vain is sent again at once, and passes over what is held', async () => {
  const batch = [purchase(1, 'a'), purchase(2, 'b')]
  const { sent, write } = sharedLine(async ({ shared }, all) => {
    if (!shared!.skipHeld) throw lockTimeout()
    return [{ kind: 'held' }, issued(all[1]!)]
  })
  assert.deepEqual(await write(batch), [{ kind: 'held' }, issued(batch[1]!)])
  assert.deepEqual(
    sent.map(({ shared }) => shared!.skipHeld),
    [false, true],
  )
})

test('any other failure is not sent again: it may have been written', async () => {
  const { sent, write } = sharedLine(async () => {
    throw new Error('connection lost')
  })
  await assert.rejects(Promise.resolve(write([purchase(1, 'a')])), /connection lost/)
  assert.equal(sent.length, 1)
})

test('partners with lines of their own are left out of a batch; the others keep their places', async () => {
  const batch = [purchase(1, 'a'), purchase(2, 'b'), purchase(1, 'c'), purchase(3, 'd')]
  const { sent, write } = sharedLine(async (_terms, all) => all.map(issued), new Set([1]))
  const leftOut = { kind: 'held', leftOut: true }
  assert.deepEqual(await write(batch), [leftOut, issued(batch[1]!), leftOut, issued(batch[3]!)])
  assert.deepEqual(sent[0]!.gifts, ['b', 'd'])
  assert.deepEqual(await write(batch.slice(0, 1)), [leftOut])
  assert.equal(sent.length, 1, 'an empty batch is not sent')
})

test('where batches take long, one waits longer for a lock, and never longer than any write', async () => {
  const takes = [200, 2_000, 0, 0]
  const { sent, write } = sharedLine(async (_terms, all) => {
    await sleep(takes.shift())
    return all.map(issued)
  })
  for (let i = 0; i < 4; i += 1) await write([purchase(1, 'a')])
  const [first, afterSlow, afterSlowest] = sent.map(({ shared }) => shared!.lockMs)
  assert.equal(first, 400)
  assert.ok(afterSlow! >= 590 && afterSlow! <= 1_500, `${afterSlow} ms`)
  assert.equal(afterSlowest, 1_500)
})
