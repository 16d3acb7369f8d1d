import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { networks } from '#base/http/networks.ts'
import { callerAddress, namedAddress, withoutPort } from './caller.ts'
import { countedAddress } from './forwarding.ts'

// As the framework gives them: the peer first, then what each trusted proxy named.
const asking = (ips: string[], headers: Record<string, string> = {}) =>
  ({
    ips,
    ip: ips.at(-1),
    headers,
    socket: { remoteAddress: ips[0] },
    raw: { httpVersion: '1.1', url: '/' },
  }) as unknown as FastifyRequest

const PORTS: [written: string, address: string][] = [
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:41000', '203.0.113.7'],
  [' 203.0.113.7:1 ', '203.0.113.7'],
  ['[2001:db8::7]:41000', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['2001:db8::7', '2001:db8::7'],
  ['203.0.113.7:410000', '203.0.113.7:410000'],
  ['unknown', 'unknown'],
]
for (const [written, address] of PORTS) {
  test(`${written} is ${address}`, () => assert.equal(withoutPort(written), address))
}

const CALLERS: [ips: string[], address: string][] = [
  [['203.0.113.7'], '203.0.113.7'],
  [['127.0.0.1', '6.6.6.3:1001'], '6.6.6.3'],
  [['127.0.0.1', '6.6.6.3:1002'], '6.6.6.3'],
  [['127.0.0.1', '::ffff:6.6.6.3'], '6.6.6.3'],
  // No address: it counts as the proxy that passed it on.
  [['127.0.0.1', 'unknown'], '127.0.0.1'],
  [['127.0.0.1', '10.0.0.2', '_hidden7'], '10.0.0.2'],
  [['127.0.0.1', '6.6.6.3:99999:1'], '127.0.0.1'],
  [['127.0.0.1', ''], '127.0.0.1'],
]
for (const [ips, address] of CALLERS) {
  test(`${ips.join(' ← ')} is ${address}`, () => assert.equal(callerAddress(asking(ips)), address))
}

test('who is not named has no rights of an address', () => {
  const named = (...ips: string[]) => namedAddress(asking(ips))
  assert.deepEqual(
    [
      named('127.0.0.1', 'unknown'),
      named('127.0.0.1', 'unix:'),
      named('127.0.0.1', '10.1.2.3:80'),
      named('127.0.0.1'),
    ],
    [undefined, undefined, '10.1.2.3', '127.0.0.1'],
  )
})

const VIA = { 'x-forwarded-for': '198.51.100.1' }
const COUNTED: [mode: 'live' | 'test', trusted: string[], request: FastifyRequest, address?: string][] = [
  ['live', ['127.0.0.1'], asking(['127.0.0.1', '198.51.100.1'], VIA), '198.51.100.1'],
  ['live', ['127.0.0.1'], asking(['203.0.113.7'], VIA), '203.0.113.7'],
  // A trusted proxy that does not say for whom it asks.
  ['live', ['127.0.0.1'], asking(['127.0.0.1'], { 'x-real-ip': '198.51.100.1' })],
  ['live', ['127.0.0.1'], asking(['127.0.0.1', 'unknown'], { 'x-forwarded-for': 'unknown' })],
  // Nobody is trusted: who is behind a proxy cannot be told apart.
  ['live', [], asking(['203.0.113.7']), '203.0.113.7'],
  ['live', [], asking(['203.0.113.7'], VIA), 'via 203.0.113.7'],
  ['live', [], asking(['127.0.0.1'])],
  ['live', [], asking(['10.1.2.3'])],
  ['test', [], asking(['127.0.0.1']), '127.0.0.1'],
]
for (const [i, [keyMode, trusted, request, address]] of COUNTED.entries()) {
  test(`counted ${i}: by ${address ?? 'no address'}`, () => {
    assert.equal(countedAddress({ keyMode, trustedProxies: networks(trusted) }, request), address)
  })
}
