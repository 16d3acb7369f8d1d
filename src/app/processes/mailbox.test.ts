import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeMailbox } from './mailbox.ts'

const say = (message: unknown) => process.emit('message', message, undefined)

test('what the supervisor says while the code is loaded is not lost', () => {
  const mailbox = makeMailbox()
  say('stop')
  say('ping')
  const received: unknown[] = []
  mailbox.open((message) => received.push(message))
  say('worker')
  assert.deepEqual(received, ['stop', 'ping', 'worker'])
})

test('a process waits for a word, and whoever opens the mailbox gets it too', async () => {
  const mailbox = makeMailbox()
  say({ tell: 'ping' })
  const heard = mailbox.hear('begin', 'stop')
  say({ tell: 'ping' })
  say({ tell: 'begin' })
  assert.equal(await heard, 'begin')
  assert.equal(await mailbox.hear('begin', 'stop'), 'begin', 'it came before')
  const received: unknown[] = []
  mailbox.open((message) => received.push(message))
  assert.deepEqual(received, [{ tell: 'ping' }, { tell: 'ping' }, { tell: 'begin' }])
})
