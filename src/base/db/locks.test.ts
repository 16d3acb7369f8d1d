import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCKS } from './locks.ts'

test('no two locks share a number', () => {
  const numbers = Object.values(LOCKS)
  assert.equal(new Set(numbers).size, numbers.length)
})
