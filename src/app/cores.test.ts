import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBusy } from './cores.ts'

test('cores are busy that had no idle time for the given share', () => {
  const before = { idle: 100, all: 1_000, own: 0 }
  assert.equal(isBusy(0.9, before, { idle: 199, all: 2_000, own: 0 }), true)
  assert.equal(isBusy(0.9, before, { idle: 201, all: 2_000, own: 0 }), false)
  assert.equal(isBusy(0.9, before, before), false)
})

test('what the process used itself does not count', () => {
  const before = { idle: 0, all: 0, own: 50 }
  assert.equal(isBusy(0.25, before, { idle: 100, all: 1_000, own: 700 }), true)
  assert.equal(isBusy(0.25, before, { idle: 100, all: 1_000, own: 701 }), false)
})
