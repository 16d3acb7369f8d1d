import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCrontab } from 'graphile-worker'
import { CRONTAB } from './worker.ts'

test('what runs by the clock goes ahead of messages, and does not pile up', () => {
  const items = parseCrontab(CRONTAB)
  assert.ok(items.length > 10)
  for (const { task, options } of items) {
    // Messages have 0, notices to members -10.
    assert.ok((options?.priority ?? 0) < -10, task)
    assert.equal(options?.jobKey, task)
  }
})
