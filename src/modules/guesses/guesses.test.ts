import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GUESS_LIMITS, judge, limitOf, networksOf } from './rules.ts'
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

const NETWORKS: [address: string, networks: string[]][] = [
  ['203.0.113.7', ['address 203.0.113.7']],
  ['via 203.0.113.7', ['site via 203.0.113.7']],
  [
    '2001:db8:1:2:3:4:5:6',
    ['address 2001:db8:1:2::/64', 'block 2001:db8:1:000::/56', 'site 2001:db8:1::/48'],
  ],
  [
    '2001:db8:1:abcd::1',
    ['address 2001:db8:1:abcd::/64', 'block 2001:db8:1:ab00::/56', 'site 2001:db8:1::/48'],
  ],
  ['2001:db8::1', ['address 2001:db8:0:0::/64', 'block 2001:db8:0:000::/56', 'site 2001:db8:0::/48']],
  ['fe80::1%eth0', ['address fe80:0:0:0::/64', 'block fe80:0:0:000::/56', 'site fe80:0:0::/48']],
]
for (const [address, networks] of NETWORKS) {
  test(`${address} is counted as ${networks.join(', ')}`, () => {
    const counted = networksOf(address).map(({ scope, network }) => `${scope} ${network}`)
    assert.deepEqual(counted, networks)
  })
}

test('a larger network has a larger limit', () => {
  const limits = (['address', 'block', 'site'] as const).map((scope) => limitOf('login', scope))
  assert.deepEqual(limits, [50, 150, 500])
  assert.equal(judge('login', [at(0, 499, 'site')], now).retryAfterSeconds, null)
  assert.equal(judge('login', [at(0, 500, 'site')], now).retryAfterSeconds, 55 * 60)
})
