import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextRest, watchRest } from './worker-rest.ts'

const after = (uses: number[], times = 0) => uses.reduce(nextRest, { times, calm: 0 }).times

test('on a full machine it rests ever longer, up to four times its work', () => {
  assert.equal(after([0.95]), 1)
  assert.equal(after([1, 0.97]), 2)
  assert.equal(after([1, 1, 1, 1, 1]), 4)
})

test('with room it rests less, and soon no longer', () => {
  assert.equal(after([0.84], 4), 2)
  assert.equal(after([0.5, 0.5, 0.5], 4), 0)
  assert.equal(after([0.5]), 0)
})

test('between the two it stays as it is, and now and then tries less', () => {
  const calm = (looks: number) => Array.from({ length: looks }, () => 0.9)
  assert.equal(after([0.85, 0.94], 2), 2)
  assert.equal(after([0.94]), 0)
  assert.equal(after(calm(9), 4), 4)
  assert.equal(after(calm(10), 4), 2)
  assert.equal(after([...calm(9), 1, ...calm(9)], 2), 4)
  assert.equal(after(calm(30), 4), 0)
})

test('the machine is looked at once a second', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const uses = [1, 1, 0.1]
  const rest = watchRest(() => uses.shift()!)
  const seen = [rest()]
  for (let second = 0; second < 3; second += 1) {
    t.mock.timers.tick(1_000)
    seen.push(rest(), rest())
  }
  assert.deepEqual(seen, [0, 1, 1, 2, 2, 1, 1])
})
