import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextRest, watchRest } from './worker-rest.ts'

const after = (uses: number[], times = 0) => uses.reduce(nextRest, { times, calm: 0 }).times

test('on a full machine it rests ever longer, up to four times its work', () => {
  assert.equal(after([0.9]), 1)
  assert.equal(after([1, 0.92]), 2)
  assert.equal(after([1, 1, 1, 1, 1]), 4)
})

test('with room it rests less, and soon no longer', () => {
  assert.equal(after([0.79], 4), 2)
  assert.equal(after([0.5, 0.5, 0.5], 4), 0)
  assert.equal(after([0.5]), 0)
})

test('between the two it stays as it is, and now and then tries less', () => {
  const calm = (looks: number) => Array.from({ length: looks }, () => 0.85)
  assert.equal(after([0.8, 0.89], 2), 2)
  assert.equal(after([0.89]), 0)
  assert.equal(after(calm(19), 4), 4)
  assert.equal(after(calm(20), 4), 2)
  assert.equal(after([...calm(19), 1, ...calm(19)], 2), 4)
  assert.equal(after(calm(60), 4), 0)
})

test('it begins as on a full machine, and looks twice a second', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const uses = [1, 0.1, 0.1, 0.1]
  const rest = watchRest(() => uses.shift()!)
  const seen = [rest()]
  for (let look = 0; look < 4; look += 1) {
    t.mock.timers.tick(500)
    seen.push(rest(), rest())
  }
  assert.deepEqual(seen, [2, 4, 4, 2, 2, 1, 1, 0, 0])
})
