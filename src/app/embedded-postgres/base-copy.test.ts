import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sparesLog } from './base-copy.ts'

test('a copy may wait while it needs less of the log than its share', () => {
  // 10 of 100 are used. At a fifth of the way 14 would be its share, and at a tenth 7.
  const log = { held: 10, left: 90 }
  assert.equal(sparesLog(log, 0.2), true)
  assert.equal(sparesLog(log, 0.1), false)
  assert.equal(sparesLog({ held: 70, left: 30 }, 1), true)
  assert.equal(sparesLog({ held: 71, left: 29 }, 1), false)
})

test('without a limit of the log it may always wait', () => {
  assert.equal(sparesLog({ held: 10, left: null }, 0), true)
})
