import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PING_MS, Silence } from './silence.ts'

function watch() {
  let now = 0
  const silence = new Silence(() => now)
  const life = { heardAt: 0, hasSpoken: true }
  return {
    life,
    // So many looks, each on time.
    pass(looks: number) {
      for (let i = 0; i < looks; i += 1) {
        now += PING_MS
        silence.look([life])
      }
      return [silence.isStandingStill(life), silence.isFrozen(life)]
    },
    sleep(ms: number) {
      now += ms
    },
  }
}

test('a silent process stands still after 15 s and is frozen after 60 s', () => {
  const { life, pass } = watch()
  assert.deepEqual(pass(3), [false, false])
  assert.deepEqual(pass(1), [true, false])
  assert.deepEqual(pass(8), [true, false])
  assert.deepEqual(pass(1), [true, true])
  life.heardAt = 65_000
  assert.deepEqual(pass(1), [false, false])
})

test('a process that still loads is given ten minutes', () => {
  const { life, pass } = watch()
  life.hasSpoken = false
  assert.deepEqual(pass(120), [true, false])
  assert.deepEqual(pass(1), [true, true])
})

test('while the supervisor itself was late, nobody was silent', () => {
  const { pass, sleep } = watch()
  pass(12)
  sleep(600_000)
  assert.deepEqual(pass(1), [false, false])
  assert.deepEqual(pass(13), [true, true])
})
