import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseError } from 'pg'
import { createPurchaseQueues } from './purchase-queues.ts'

interface Purchase {
  partnerId: number
  amount: number
}

interface Written extends Purchase {
  // Which line wrote it, in the order in which lines were opened.
  line: number
  answer(): void
  fail(error: Error): void
}

const lockTimeout = () => Object.assign(new DatabaseError('lock', 4, 'error'), { code: '55P03' })

// Lines that answer when they are told to.
function queues(sharedLines: number) {
  const opened: (number | undefined)[] = []
  const written: Written[] = []
  const write = createPurchaseQueues<Purchase, number>(({ lockMs }) => {
    const line = opened.push(lockMs) - 1
    return ({ partnerId, amount }) =>
      new Promise((resolve, reject) => {
        written.push({ partnerId, amount, line, answer: () => resolve(amount), fail: reject })
      })
  }, sharedLines)
  const buy = (partnerId: number, amount = 1) => write({ partnerId, amount })
  return { buy, opened, written }
}

const linesOf = (written: readonly Written[]) => written.map(({ line }) => line)

test('partners share a line, and a partner is always in the same one', async () => {
  const { buy, written, opened } = queues(2)
  const bought = [1, 2, 3, 4, 1, 2].map((partnerId) => buy(partnerId))
  assert.deepEqual(linesOf(written), [0, 1, 0, 1, 0, 1])
  for (const purchase of written) purchase.answer()
  assert.deepEqual(await Promise.all(bought), [1, 1, 1, 1, 1, 1])
  assert.equal(opened.length, 2)
  assert.ok(opened.every((lockMs) => lockMs !== undefined && lockMs < 1_000))
})

test('after a lock timeout each goes alone, in a line of its partner that waits as long as any write', async () => {
  const { buy, written, opened } = queues(1)
  const held = buy(1, 10)
  const other = buy(2, 20)
  for (const purchase of written.splice(0)) purchase.fail(lockTimeout())
  await new Promise(setImmediate)
  assert.deepEqual(linesOf(written), [1, 2])
  assert.deepEqual(opened.slice(1), [undefined, undefined])
  written[1]!.answer()
  assert.equal(await other, 20)

  // The one that is held keeps its line; the other one is back among the others.
  const [more, again] = [buy(1, 11), buy(2, 21)]
  assert.deepEqual(linesOf(written.slice(2)), [1, 0])
  for (const purchase of written) purchase.answer()
  assert.deepEqual(await Promise.all([held, more, again]), [10, 11, 21])
  const back = buy(1, 12)
  assert.equal(written.at(-1)!.line, 0)
  written.at(-1)!.answer()
  assert.equal(await back, 12)
})

test('alone, a lock timeout is the answer; the partner stays out of the way of others until it gets through', async () => {
  const { buy, written } = queues(1)
  const held = buy(1)
  written[0]!.fail(lockTimeout())
  await new Promise(setImmediate)
  written[1]!.fail(lockTimeout())
  await assert.rejects(held, /lock/)
  assert.equal(written.length, 2)

  const retry = buy(1)
  assert.equal(written[2]!.line, 1)
  written[2]!.answer()
  await retry
  const back = buy(1)
  assert.equal(written[3]!.line, 0)
  written[3]!.answer()
  await back
})

test('what else fails is not written again: it may have been written', async () => {
  const { buy, written } = queues(1)
  const lost = buy(1)
  written[0]!.fail(new Error('connection lost'))
  await assert.rejects(lost, /connection lost/)
  assert.equal(written.length, 1)
})

test('a partner with much to write has a line of its own until it is done', async () => {
  const { buy, written } = queues(1)
  const bought = Array.from({ length: 200 }, () => buy(1))
  bought.push(buy(2))
  const shared = written.filter(({ line }) => line === 0)
  assert.equal(shared.filter(({ partnerId }) => partnerId === 1).length, 128)
  assert.deepEqual([written.at(-1)!.partnerId, written.at(-1)!.line], [2, 0])
  assert.equal(written.filter(({ line }) => line === 1).length, 72)
  for (const purchase of written.splice(0)) purchase.answer()
  await Promise.all(bought)
  const back = buy(1)
  assert.equal(written[0]!.line, 0)
  written[0]!.answer()
  await back
})
