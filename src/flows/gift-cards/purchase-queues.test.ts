import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseError } from 'pg'
import type { Held } from '#modules/gift-cards/store.ts'
import { createPurchaseQueues } from './purchase-queues.ts'

interface Purchase {
  partnerId: number
  amount: number
}

interface Written extends Purchase {
  // Which line wrote it, in the order in which lines were opened.
  line: number
  answer(outcome?: number | Held): void
  fail(error: Error): void
}

interface Opened {
  isOwn: boolean
  // As the line was told.
  hasOwn?: (partnerId: number) => boolean
  isHeld?: () => boolean
}

const HELD: Held = { kind: 'held' }
const lockTimeout = () => Object.assign(new DatabaseError('lock', 4, 'error'), { code: '55P03' })
const aTurn = () => new Promise(setImmediate)

// Lines that answer when they are told to.
function queues(sharedLines: number) {
  const opened: Opened[] = []
  const written: Written[] = []
  const open = (line: Opened) => {
    const place = opened.push(line) - 1
    return ({ partnerId, amount }: Purchase) =>
      new Promise<number | Held>((resolve, reject) => {
        const answer = (outcome: number | Held = amount) => resolve(outcome)
        written.push({ partnerId, amount, line: place, answer, fail: reject })
      })
  }
  const write = createPurchaseQueues<Purchase, number>(
    {
      openShared: (hasOwn) => open({ isOwn: false, hasOwn }),
      openOwn: (isHeld) => open({ isOwn: true, isHeld }),
    },
    sharedLines,
  )
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
  assert.deepEqual(
    opened.map(({ isOwn }) => isOwn),
    [false, false],
  )
})

test('what is held goes alone until it gets through; the line is told whose is', async () => {
  const { buy, written, opened } = queues(1)
  const [held, other] = [buy(1, 10), buy(2, 20)]
  written[0]!.answer(HELD)
  written[1]!.answer()
  assert.equal(await other, 20)
  assert.deepEqual(linesOf(written), [0, 0, 1])
  assert.ok(opened[1]!.isHeld!())
  assert.deepEqual([1, 2].map(opened[0]!.hasOwn!), [true, false])

  const [more, again] = [buy(1, 11), buy(2, 21)]
  assert.deepEqual(linesOf(written.slice(3)), [1, 0])
  for (const purchase of written.slice(2)) purchase.answer()
  assert.deepEqual(await Promise.all([held, more, again]), [10, 11, 21])
  assert.ok(!opened[0]!.hasOwn!(1))
  const back = buy(1, 12)
  assert.equal(written.at(-1)!.line, 0)
  written.at(-1)!.answer()
  assert.equal(await back, 12)
})

test('what was left out of a batch goes alone, and counts as free', async () => {
  const { buy, written, opened } = queues(1)
  const bought = buy(1, 10)
  written[0]!.answer({ kind: 'held', leftOut: true })
  await aTurn()
  assert.equal(written[1]!.line, 1)
  assert.ok(!opened[1]!.isHeld!())
  written[1]!.answer()
  assert.equal(await bought, 10)
})

test('after a lock timeout of the whole batch each goes alone, and counts as free', async () => {
  const { buy, written, opened } = queues(1)
  const [first, second] = [buy(1, 10), buy(2, 20)]
  for (const purchase of written.splice(0)) purchase.fail(lockTimeout())
  await aTurn()
  assert.deepEqual(linesOf(written), [1, 2])
  assert.ok(opened.slice(1).every(({ isHeld }) => !isHeld!()))
  for (const purchase of written.splice(0)) purchase.answer()
  assert.deepEqual(await Promise.all([first, second]), [10, 20])
  const back = buy(1)
  assert.equal(written[0]!.line, 0)
  written[0]!.answer()
  await back
})

test('alone, a lock timeout is the answer; the partner stays out of the way of others until it gets through', async () => {
  const { buy, written, opened } = queues(1)
  const held = buy(1)
  written[0]!.answer(HELD)
  await aTurn()
  written[1]!.fail(lockTimeout())
  await assert.rejects(held, /lock/)
  assert.equal(written.length, 2)

  // It got no turn: nothing shows that it is free.
  const late = buy(1)
  assert.equal(written[2]!.line, 1)
  written[2]!.fail(new Error('no turn'))
  await assert.rejects(late, /no turn/)
  assert.ok(opened[1]!.isHeld!())

  const retry = buy(1)
  assert.equal(written[3]!.line, 1)
  written[3]!.answer()
  await retry
  const back = buy(1)
  assert.equal(written[4]!.line, 0)
  written[4]!.answer()
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
