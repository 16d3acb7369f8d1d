import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GUESS_LIMITS, judge, networkOf } from './rules.ts'
import type { Counted } from './types.ts'

const now = Temporal.Instant.from('2026-11-15T03:05:00Z')
const at = (minutesAgo: number, failures: number, scope: Counted['scope'] = 'account'): Counted => ({
  scope,
  bucket: Temporal.Instant.from('2026-11-15T03:00:00Z').subtract({ minutes: minutesAgo }),
  failures,
})

const WAITS: [counted: Counted[], seconds: number | null][] = [
  [[], null],
  [[at(0, 9)], null],
  [[at(0, 10)], 55 * 60],
  [[at(0, 4), at(50, 6)], 5 * 60],
  [[at(0, 10), at(50, 6)], 55 * 60],
  [[at(60, 100)], null],
  [[at(0, 29, 'address')], null],
  [[at(0, 30, 'address')], 55 * 60],
  [[at(0, 10_000, 'all')], null],
]
for (const [i, [counted, seconds]] of WAITS.entries()) {
  test(`wait ${i}: ${seconds}`, () => assert.equal(judge('pin', counted, now).retryAfterSeconds, seconds))
}

test('the alarm is on in the window that reached the limit and the one after', () => {
  const { all } = GUESS_LIMITS.pin
  const alarmed = (...counted: Counted[]) => judge('pin', counted, now).alarmed
  assert.deepEqual(
    [
      alarmed(at(0, all - 1, 'all')),
      alarmed(at(0, all, 'all')),
      alarmed(at(10, all, 'all')),
      alarmed(at(20, all, 'all')),
      alarmed(at(0, all, 'account')),
    ],
    [false, true, true, false, false],
  )
})

const NETWORKS: [address: string, network: string][] = [
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:203.0.113.7', '::ffff:cb00:7107'],
]
for (const [address, network] of NETWORKS) {
  test(`${address} is counted as ${network}`, () => assert.equal(networkOf(address), network))
}
