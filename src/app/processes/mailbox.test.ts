import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMailbox } from './mailbox.ts'

test('what the supervisor says while the code is loaded is not lost', () => {
  const mailbox = openMailbox()
  process.emit('message', 'stop', undefined)
  process.emit('message', 'ping', undefined)
  const received: unknown[] = []
  mailbox((message) => received.push(message))
  process.emit('message', 'worker', undefined)
  assert.deepEqual(received, ['stop', 'ping', 'worker'])
})
