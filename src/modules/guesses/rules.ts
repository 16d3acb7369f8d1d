import { isIP } from 'node:net'
import {
  ADDRESS_SCOPES,
  type AddressScope,
  type Counted,
  type GuessKind,
  type GuessScope,
  type Judged,
} from './types.ts'

// How many failures are allowed. A person with typos stays far below. A PIN has 75 random bits, so that even all of
// them together find none. Above the overall limit no person is locked out: an alarm is raised, and identity is asked
// for.
export const GUESS_LIMITS: Record<GuessKind, { account: number; address: number; all: number }> = {
  pin: { account: 10, address: 30, all: 300 },
  login: { account: 10, address: 50, all: 500 },
  // What costs is the text that is sent: until its code was right each counts, by the number it goes to, by address and over
  // all. A carrier has thousands of people behind one address.
  identity: { account: 5, address: 300, all: 2_000 },
  // Bank accounts that were not the member's own, in a day: a person mistypes one or two.
  payout_account: { account: 5, address: 50, all: 200 },
  // Codes from notices: 128 random bits, so that what counts is the work of looking.
  stop: { account: 30, address: 100, all: 1_000 },
  // Check codes of statements: 100 random bits; the same counts.
  statement: { account: 30, address: 100, all: 1_000 },
}

// Texts to one number, including those whose code was right: a text costs money and rings a phone.
export const TEXTS_A_DAY = 20

// Carriers give each phone a /64 of one large block, so larger networks have larger limits. But a customer with a /48
// has 65,536 of the small ones.
const TIMES: Record<AddressScope, number> = { address: 1, block: 3, site: 10 }

export function limitOf(kind: GuessKind, scope: Exclude<GuessScope, 'all'>): number {
  if (scope === 'texts') return TEXTS_A_DAY
  return scope === 'account' ? GUESS_LIMITS[kind].account : GUESS_LIMITS[kind].address * TIMES[scope]
}

// The window of an account and of an address.
const WINDOW_HOURS: Record<GuessKind, number> = {
  pin: 1,
  login: 1,
  identity: 1,
  payout_account: 24,
  stop: 1,
  statement: 1,
}

export function hoursOf(kind: GuessKind, scope: GuessScope): number {
  return scope === 'texts' ? 24 : WINDOW_HOURS[kind]
}

const ALARM = { minutes: 20 } // this window of ten minutes and the one before

export function judge(kind: GuessKind, counted: readonly Counted[], now: Temporal.Instant): Judged {
  const waits = (['account', 'texts', ...ADDRESS_SCOPES] as const).map((scope) =>
    secondsToWait(
      counted.filter((count) => count.scope === scope),
      { limit: limitOf(kind, scope), hours: hoursOf(kind, scope) },
      now,
    ),
  )
  const longest = Math.max(...waits)
  return {
    retryAfterSeconds: longest > 0 ? longest : null,
    alarmed: counted.some(
      ({ scope, bucket, failures }) =>
        scope === 'all' &&
        failures >= GUESS_LIMITS[kind].all &&
        Temporal.Instant.compare(bucket, now.subtract(ALARM)) > 0,
    ),
  }
}

// Until so many of the oldest windows are out of sight that the rest is below the limit.
function secondsToWait(
  counted: readonly Counted[],
  { limit, hours }: { limit: number; hours: number },
  now: Temporal.Instant,
): number {
  const seen = counted
    .map(({ bucket, failures }) => ({ end: bucket.add({ hours }), failures }))
    .filter(({ end }) => Temporal.Instant.compare(end, now) > 0)
    .toSorted((a, b) => Temporal.Instant.compare(a.end, b.end))
  let left = seen.reduce((sum, { failures }) => sum + failures, 0)
  let until = now
  for (const { end, failures } of seen) {
    if (left < limit) break
    left -= failures
    until = end
  }
  return Math.ceil(now.until(until).total('seconds'))
}

// The networks that failures of an address count for. An IPv4 address counts alone. For IPv6 it is the /64, which every
// customer has, and the /56 and /48, which providers give to one customer.
export function networksOf(address: string): { scope: AddressScope; network: string }[] {
  // A proxy that many share (edge/http/forwarding.ts) counts as a large network.
  if (isIP(address) === 0) return [{ scope: 'site', network: address }]
  if (isIP(address) === 4) return [{ scope: 'address', network: address }]
  const groups = groupsOf(address)
  const half = Math.floor(Number.parseInt(groups[3]!, 16) / 256).toString(16)
  return [
    { scope: 'address', network: `${groups.slice(0, 4).join(':')}::/64` },
    { scope: 'block', network: `${groups.slice(0, 3).join(':')}:${half}00::/56` },
    { scope: 'site', network: `${groups.slice(0, 3).join(':')}::/48` },
  ]
}

function groupsOf(address: string): string[] {
  const written = URL.parse(`http://[${address.replace(/%.*$/, '')}]`)?.hostname.slice(1, -1) ?? address
  const [head = '', tail] = written.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':')
    while (groups.length + after.length < 8) groups.push('0')
    groups.push(...after)
  }
  return groups
}
