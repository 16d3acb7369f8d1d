import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unavailable } from '#base/db/errors.ts'
import { retryDeadlocked, retryPatiently } from '#flows/kit/retries.ts'

const DEADLOCK = Object.assign(new Error('deadlock detected'), { code: '40P01' })
const AWAY = new Unavailable('away')

// Fails with each of these in turn, then answers with how often it was tried.
function failing(...errors: Error[]) {
  let tries = 0
  return async () => {
    tries += 1
    if (errors.length > 0) throw errors.shift()
    return tries
  }
}

test('a deadlock is tried three times in all, and nothing else is', async () => {
  assert.equal(await retryDeadlocked(failing(DEADLOCK, DEADLOCK)), 3)
  await assert.rejects(retryDeadlocked(failing(DEADLOCK, DEADLOCK, DEADLOCK)), DEADLOCK)
  await assert.rejects(retryDeadlocked(failing(AWAY)), AWAY)
})

test('with pauses a database that is away is tried again too, once after each', async () => {
  assert.equal(await retryPatiently(failing(AWAY, DEADLOCK), [1, 1]), 3)
  await assert.rejects(retryPatiently(failing(AWAY, AWAY, AWAY), [1, 1]), AWAY)
  const bug = new Error('bug')
  await assert.rejects(retryPatiently(failing(bug), [1, 1]), bug)
})
