import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchClock } from './clock-watch.ts'

test('a clock that is set back by a minute or more is noticed, one that goes ahead or is corrected a little is not', () => {
  const times = { timeOfDay: 5_000_000, forward: 1_000 }
  const isSetBack = watchClock({ timeOfDayMs: () => times.timeOfDay, forwardMs: () => times.forward })
  const after = (ms: number, step: number) => {
    times.forward += ms
    times.timeOfDay += ms + step
    return isSetBack()
  }
  assert.deepEqual(
    [after(3_600_000, 0), after(10_000, -59_000), after(10_000, 59_000), after(10_000, 3_600_000)],
    [false, false, false, false],
  )
  assert.equal(after(4_000, -3_600_000), true)
  assert.equal(watchClock({ timeOfDayMs: () => times.timeOfDay, forwardMs: () => times.forward })(), false)
})
