import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onceMore, Refusal, refusalOf } from '../../web/kit/once-more.ts'

const UNKNOWN = new Refusal('unauthorized')

// What comes of answers given one after the other, how often was asked, and whether somebody was signed out.
async function asking(answers: (string | Refusal)[], isStill: boolean) {
  let [asked, ended] = [0, 0]
  const ask = async () => {
    const answer = answers[asked]!
    asked += 1
    if (answer instanceof Refusal) throw answer
    return answer
  }
  const onEnded = () => {
    ended += 1
  }
  const outcome = await onceMore(ask, { isStill: async () => isStill, onEnded }).catch(
    (error) => refusalOf(error).code,
  )
  return [outcome, asked, ended]
}

test('what went by the old name of a session is asked again, and nobody is signed out', async () => {
  assert.deepEqual(await asking([UNKNOWN, 'links'], true), ['links', 2, 0])
})

test('whoever is no longer signed in is signed out, and nothing is asked again', async () => {
  assert.deepEqual(await asking([UNKNOWN], false), ['unauthorized', 1, 1])
})

test('refused twice, it is over; other refusals are told as they are', async () => {
  assert.deepEqual(await asking([UNKNOWN, UNKNOWN], true), ['unauthorized', 2, 1])
  assert.deepEqual(await asking([UNKNOWN, new Refusal('offline')], true), ['offline', 2, 0])
  assert.deepEqual(await asking([new Refusal('wrong_login')], true), ['wrong_login', 1, 0])
})
