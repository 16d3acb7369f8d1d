import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryUnauthorized } from '../../web/kit/api/retry-unauthorized.ts'
import { Refusal, refusalOf } from '../../web/member/shared/api/refusal.ts'

const UNAUTHORIZED = new Refusal('unauthorized')

// The outcome of calls that get these answers in turn, the number of calls, and how often the session was ended.
async function calling(answers: (string | Refusal)[], isStillSignedIn: boolean) {
  let [calls, ended] = [0, 0]
  const call = async () => {
    const answer = answers[calls]!
    calls += 1
    if (answer instanceof Refusal) throw answer
    return answer
  }
  const onEnded = () => {
    ended += 1
  }
  const outcome = await retryUnauthorized(call, {
    isStillSignedIn: async () => isStillSignedIn,
    onEnded,
  }).catch((error) => refusalOf(error).code)
  return [outcome, calls, ended]
}

test('a call with a replaced session cookie is made again, and nobody is signed out', async () => {
  assert.deepEqual(await calling([UNAUTHORIZED, 'links'], true), ['links', 2, 0])
})

test('an ended session is ended on the page too, and no call is made again', async () => {
  assert.deepEqual(await calling([UNAUTHORIZED], false), ['unauthorized', 1, 1])
})

test('a second refusal ends the session; other refusals are passed on', async () => {
  assert.deepEqual(await calling([UNAUTHORIZED, UNAUTHORIZED], true), ['unauthorized', 2, 1])
  assert.deepEqual(await calling([UNAUTHORIZED, new Refusal('offline')], true), ['offline', 2, 0])
  assert.deepEqual(await calling([new Refusal('wrong_login')], true), ['wrong_login', 1, 0])
})
