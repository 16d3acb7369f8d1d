import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseError } from 'pg'
import { Batcher, QueueFull } from './batch.ts'

function gathering(maxInFlight = 1, apartKey?: (n: number) => string, maxAlike?: number) {
  const batches: number[][] = []
  const waiting: (() => void)[] = []
  const batcher = new Batcher<number, number>({
    maxSize: 4,
    maxInFlight,
    maxWaiting: 10,
    ...(apartKey ? { apartKey } : {}),
    ...(maxAlike === undefined ? {} : { maxAlike }),
    async run(commands) {
      batches.push([...commands])
      await new Promise<void>((resolve) => waiting.push(resolve))
      return commands.map((command) => command * 10)
    },
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  async function release() {
    await turn()
    waiting.shift()?.()
    await turn()
  }
  return { batcher, batches, release }
}

test('an idle batcher sends at once; while it is away the next batch gathers', async () => {
  const { batcher, batches, release } = gathering()
  const first = batcher.submit(1)
  await new Promise((resolve) => setImmediate(resolve))
  const later = [2, 3, 4, 5, 6].map((n) => batcher.submit(n))
  assert.deepEqual(batches, [[1]])
  await release()
  assert.equal(await first, 10)
  await release()
  await release()
  assert.deepEqual(await Promise.all(later), [20, 30, 40, 50, 60])
  assert.deepEqual(batches, [[1], [2, 3, 4, 5], [6]])
})

test('the next batch is under way before the answers of the one before it are given', async () => {
  const { batcher, batches, release } = gathering()
  const seen: number[] = []
  const first = batcher.submit(1).then(() => seen.push(batches.length))
  await new Promise((resolve) => setImmediate(resolve))
  const second = batcher.submit(2)
  await release()
  await first
  assert.deepEqual(seen, [2])
  await release()
  await second
})

test('many callers are served by halves: one is answered while the other is at the database', async () => {
  const sizes: number[] = []
  const batcher = new Batcher<number, number>({
    maxSize: 128,
    maxInFlight: 1,
    maxWaiting: 1_000,
    async run(commands) {
      sizes.push(commands.length)
      await new Promise((resolve) => setTimeout(resolve, 5))
      return [...commands]
    },
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  // Each asks again as soon as it is answered. Ten come first, so that the first batches are uneven.
  const caller = async () => {
    for (let asked = 0; asked < 12; asked += 1) await batcher.submit(asked)
  }
  const first = Array.from({ length: 10 }, caller)
  await turn()
  await turn()
  await Promise.all([...first, ...Array.from({ length: 54 }, caller)])
  const settled = sizes.slice(4, -4)
  assert.ok(settled.length > 10)
  assert.deepEqual(new Set(settled), new Set([32]))
})

test('where batches run one after the other, one is sent ahead as soon as it is as large', async () => {
  const sizes: number[] = []
  const waiting: (() => void)[] = []
  const batcher = new Batcher<number, number>({
    maxSize: 128,
    maxInFlight: 1,
    sendsAhead: () => true,
    maxWaiting: 1_000,
    async run(commands) {
      sizes.push(commands.length)
      await new Promise<void>((resolve) => waiting.push(resolve))
      return [...commands]
    },
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const ask = async (count: number) => {
    for (let i = 0; i < count; i += 1) void batcher.submit(i)
    await turn()
  }
  const answer = async () => {
    waiting.shift()!()
    await turn()
  }
  await ask(20)
  assert.deepEqual(sizes, [10, 10], 'both halves at once')
  await ask(10)
  assert.deepEqual(sizes, [10, 10], 'never three')
  await answer()
  assert.deepEqual(sizes, [10, 10, 10])
  await ask(9)
  await answer()
  assert.deepEqual(sizes, [10, 10, 10], 'fewer wait for an answer')
  await ask(1)
  assert.deepEqual(sizes, [10, 10, 10, 10])
  await answer()
  await answer()
  await ask(1)
  assert.equal(sizes.at(-1), 1, 'nothing is at the database')
  await ask(7)
  await ask(1)
  assert.equal(sizes.at(-1), 8, 'a small one is not worth its own round trip')
  await answer()
  await answer()
})

test('a few callers share one batch, however many asked before', async () => {
  const { batcher, batches, release } = gathering()
  const outcomes = [1, 2, 3].map((n) => batcher.submit(n))
  await release()
  outcomes.push(batcher.submit(4), batcher.submit(5))
  await release()
  await Promise.all(outcomes)
  assert.deepEqual(batches, [
    [1, 2, 3],
    [4, 5],
  ])
})

test('two of one key never share a batch, and keep their order', async () => {
  const { batcher, batches, release } = gathering(1, (n) => String(n % 2))
  const outcomes = [1, 3, 2, 5, 4].map((n) => batcher.submit(n))
  for (let i = 0; i < 4; i += 1) await release()
  assert.deepEqual(await Promise.all(outcomes), [10, 30, 20, 50, 40])
  assert.deepEqual(batches, [[1, 2], [3, 4], [5]])
})

test('several may be under way at once', async () => {
  const { batcher, batches, release } = gathering(2)
  const outcomes = [1, 2, 3, 4, 5].map((n) => batcher.submit(n))
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(batches, [[1, 2, 3, 4], [5]])
  await release()
  await release()
  await Promise.all(outcomes)
})

test('the queue is bounded', async () => {
  const { batcher, release } = gathering()
  const accepted = Array.from({ length: 10 }, (_, n) => batcher.submit(n))
  await assert.rejects(batcher.submit(11), QueueFull)
  for (let i = 0; i < 4; i += 1) await release()
  await Promise.all(accepted)
})

test('a failed batch fails its own commands only', async () => {
  let runs = 0
  const batcher = new Batcher<number, number>({
    maxSize: 10,
    maxInFlight: 1,
    maxWaiting: 10,
    async run(commands) {
      runs += 1
      if (runs === 1) throw new Error('lost')
      return [...commands]
    },
  })
  await assert.rejects(batcher.submit(1), /lost/)
  assert.equal(await batcher.submit(2), 2)
})

test('a storm of one key is refused before it fills the queue for others', async () => {
  const { batcher, release } = gathering(1, () => 'same', 3)
  const outcomes = [1, 2, 3, 4, 5].map((n) => batcher.submit(n))
  const settled = Promise.allSettled(outcomes)
  for (let i = 0; i < 5; i += 1) await release()
  assert.deepEqual(
    (await settled).map((one) => (one.status === 'fulfilled' ? one.value : one.reason instanceof QueueFull)),
    [10, 20, 30, true, true],
  )
  // Those that left have made room.
  const again = batcher.submit(6)
  await release()
  assert.equal(await again, 60)
})

test('a value that the database refuses fails its own command; the others of the batch get theirs', async () => {
  const runs: number[][] = []
  const batcher = new Batcher<number, number>({
    maxSize: 10,
    maxInFlight: 1,
    maxWaiting: 10,
    async run(commands) {
      runs.push([...commands])
      if (commands.includes(2)) throw Object.assign(new DatabaseError('x', 1, 'error'), { code: '22P02' })
      return commands.map((command) => command * 10)
    },
  })
  const settled = await Promise.allSettled([1, 2, 3].map((n) => batcher.submit(n)))
  assert.deepEqual(
    settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code)),
    [10, '22P02', 30],
  )
  assert.deepEqual(runs, [[1, 2, 3], [1], [2], [3]])
  assert.equal(await batcher.submit(4), 40)
})

test('once the database is away, those that would follow one by one are told at once', async () => {
  const failure = (code: string) => Object.assign(new DatabaseError('x', 1, 'error'), { code })
  const runs: number[][] = []
  const batcher = new Batcher<number, number>({
    maxSize: 10,
    maxInFlight: 1,
    maxWaiting: 10,
    async run(commands) {
      runs.push([...commands])
      throw failure(commands.length > 1 ? '22P02' : commands[0] === 1 ? '22P02' : '57P01')
    },
  })
  const settled = await Promise.allSettled([1, 2, 3, 4].map((command) => batcher.submit(command)))
  assert.deepEqual(
    settled.map((one) => one.status === 'rejected' && one.reason.code),
    ['22P02', '57P01', '57P01', '57P01'],
  )
  assert.deepEqual(runs, [[1, 2, 3, 4], [1], [2]])
})
