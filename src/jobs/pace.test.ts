import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPace } from './pace.ts'

// Work that ends when it is told to, and a count of what is under way.
function manual() {
  const begun: (() => void)[] = []
  const work = () => new Promise<void>((resolve) => begun.push(resolve))
  return { begun, work }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

// A pace on a clock that is moved by hand.
function paced(t: test.TestContext, rest: () => number) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const pace = createPace(rest)
  return {
    pace,
    async pass(ms: number) {
      now += ms
      t.mock.timers.tick(ms)
      await turn()
    },
  }
}

test('while there is room everything runs at once', async () => {
  const { begun, work } = manual()
  const pace = createPace(() => 0)
  const all = [pace.inTurn(work), pace.atOnce(work), pace.inTurn(work)]
  assert.equal(begun.length, 3)
  for (const end of begun) end()
  await Promise.all(all)
})

test('on a full machine turns follow one another, each after a rest by how long the last one took', async (t) => {
  const { begun, work } = manual()
  const { pace, pass } = paced(t, () => 3)
  const all = [pace.inTurn(work), pace.inTurn(work), pace.inTurn(work)]
  await turn()
  assert.equal(begun.length, 1)
  await pass(100)
  begun[0]!()
  await pass(0)
  await pass(299)
  assert.equal(begun.length, 1)
  await pass(1)
  assert.equal(begun.length, 2)
  await pass(5_000)
  begun[1]!()
  await pass(0)
  await pass(999)
  assert.equal(begun.length, 2)
  await pass(1)
  assert.equal(begun.length, 3, 'no rest is longer than a second')
  begun[2]!()
  await Promise.all(all)
})

test('a failure keeps no one waiting', async (t) => {
  const { begun, work } = manual()
  const { pace, pass } = paced(t, () => 3)
  const failed = pace.inTurn(() => Promise.reject(new Error('broken')))
  const next = pace.inTurn(work)
  await assert.rejects(failed, /broken/)
  await pass(0)
  begun[0]!()
  await next
})

test('what may not wait begins at once, and the next turn rests for it', async (t) => {
  const { begun, work } = manual()
  const { pace, pass } = paced(t, () => 3)
  const first = pace.inTurn(work)
  await turn()
  const outcome = pace.atOnce(work)
  assert.equal(begun.length, 2)
  await pass(100)
  begun[1]!()
  begun[0]!()
  await Promise.all([first, outcome])
  const next = pace.inTurn(work)
  await pass(300)
  await pass(299)
  assert.equal(begun.length, 2)
  await pass(1)
  assert.equal(begun.length, 3, 'both rests are over')
  begun[2]!()
  await next
})

test('a rest that is due when there is room again is none', async (t) => {
  const { begun, work } = manual()
  let rest = 3
  const { pace, pass } = paced(t, () => rest)
  const first = pace.inTurn(work)
  const second = pace.inTurn(work)
  await turn()
  await pass(100)
  rest = 0
  begun[0]!()
  await first
  await pass(0)
  assert.equal(begun.length, 2)
  begun[1]!()
  await second
})
