import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usedShare } from './cores.ts'

test('the share of the time in which cores were not idle', () => {
  const before = { idle: 100, all: 1_000, own: 0 }
  assert.equal(usedShare(before, { idle: 200, all: 2_000, own: 0 }), 0.9)
  assert.equal(usedShare(before, before), 0)
})

test('what the process used itself does not count', () => {
  const before = { idle: 0, all: 0, own: 50 }
  assert.equal(usedShare(before, { idle: 100, all: 1_000, own: 700 }), 0.25)
})
