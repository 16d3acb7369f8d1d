import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import fc from 'fast-check'
import {
  BadKeyRing,
  generateKeyRing,
  type KeyRingFile,
  parseKeyRing,
  withNewKeys,
} from '#base/crypto/key-ring.ts'
import { permuteSerials } from '#base/crypto/permutation.ts'
import { Secret } from '#base/crypto/secret.ts'
import { createVault } from '#base/crypto/vault.ts'
import { isNetwork, networks } from '#base/http/networks.ts'
import { TokenBucket } from '#base/queues/token-bucket.ts'
import { parseDate, seoulDate } from '#base/time/seoul-time.ts'
import { newRequestId, randomBase62 } from './ids.ts'
import { formatWon, wonFromJson, wonToJson } from './money.ts'

test('money: won cross into JSON and back exactly, or not at all', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (number) => {
      assert.equal(wonToJson(wonFromJson(number)), number)
    }),
  )
  assert.throws(() => wonToJson(2n ** 53n))
  assert.throws(() => wonFromJson(1.5))
  assert.throws(() => wonFromJson(2 ** 53))
  assert.deepEqual([0n, 999n, 1000n, -1234567n].map(formatWon), ['₩0', '₩999', '₩1,000', '-₩1,234,567'])
})

test('permutation: different serials give different 16-digit numbers below 2^53', () => {
  const key = Buffer.alloc(32, 1)
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 7_999_999_999_999_999 }), { maxLength: 200 }),
      (serials) => {
        const numbers = permuteSerials(key, serials)
        assert.equal(new Set(numbers).size, serials.length)
        for (const number of numbers) assert.ok(number >= 10n ** 15n && number < 9n * 10n ** 15n)
        // One at a time is the same permutation as all together.
        assert.deepEqual(
          serials.flatMap((serial) => permuteSerials(key, [serial])),
          numbers,
        )
      },
    ),
    { numRuns: 50 },
  )
})

test('permutation: the key decides, and neighbours tell nothing of each other', () => {
  const serials = Array.from({ length: 1000 }, (_, i) => i)
  const numbers = permuteSerials(Buffer.alloc(32, 1), serials)
  assert.notDeepEqual(numbers, permuteSerials(Buffer.alloc(32, 2), serials))
  const rising = numbers.filter((number, i) => i > 0 && number > numbers[i - 1]!).length
  assert.ok(rising > 400 && rising < 600, `${rising} of 999 steps go up`)
})

function vaultOf(file: KeyRingFile, nextIndex: string | null = null) {
  const { current: encryption } = file.encryption
  const inForce = { epoch: 1, encryption, index: 'i1', nextIndex }
  return createVault(parseKeyRing(JSON.stringify(file)), inForce)
}

test('vault: while keys rotate, a value has an index under both, and new rows the newer one', () => {
  const file = withNewKeys(generateKeyRing(true))
  const before = vaultOf(file)
  const during = vaultOf(file, file.index.current)
  const { current, next } = during.indexes('ci', 'x')
  assert.deepEqual([before.indexKeyId, during.indexKeyId], ['i1', file.index.current])
  assert.deepEqual(before.indexes('ci', 'x'), { current, next: null })
  assert.deepEqual(before.index('ci', 'x'), current)
  assert.deepEqual(during.index('ci', 'x'), next)
  assert.notDeepEqual(current, next)
})

test('key ring: renewed, it holds its old keys and one more of each kind', () => {
  const once = withNewKeys(generateKeyRing(false))
  const twice = withNewKeys(once)
  assert.deepEqual(Object.keys(twice.encryption.keys), [
    'e1',
    once.encryption.current,
    twice.encryption.current,
  ])
  assert.match(twice.encryption.current, /^e3[0-9a-z]{6}$/)
  assert.match(twice.index.current, /^i3[0-9a-z]{6}$/)
  assert.equal(twice.encryption.keys[once.encryption.current], once.encryption.keys[once.encryption.current])
  // Renewed in two places, it is two rings, and nobody can take the one for the other.
  assert.notEqual(withNewKeys(once).encryption.current, twice.encryption.current)
  assert.equal(twice.numberKey, once.numberKey)
})

test('vault: opens what it sealed, only in its place, never twice alike', () => {
  const ring = generateKeyRing(true)
  const vault = vaultOf(ring)
  const place = { table: 'gift_card', column: 'pin', row: 'a' }
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      const sealed = vault.seal(place, value)
      assert.equal(vault.open(place, sealed), value)
      assert.notDeepEqual(vault.seal(place, value), sealed)
      for (const other of [{ row: 'b' }, { column: 'recipient' }, { table: 'member' }]) {
        assert.throws(() => vault.open({ ...place, ...other }, sealed))
      }
      const touched = Buffer.from(sealed)
      touched[touched.length - 1]! ^= 1
      assert.throws(() => vault.open(place, touched))
    }),
  )
})

test('vault: values sealed with an older key of the ring still open', () => {
  const file = generateKeyRing(true)
  const place = { table: 't', column: 'c', row: 'r' }
  const sealed = vaultOf(file).seal(place, 'value')
  file.encryption = {
    current: 'e2',
    keys: { ...file.encryption.keys, e2: Buffer.alloc(32, 9).toString('base64') },
  }
  assert.equal(vaultOf(file).open(place, sealed), 'value')
})

test('vault: an index is the same for the same value, apart by purpose and by ring', () => {
  const one = vaultOf(generateKeyRing(true))
  const two = vaultOf(generateKeyRing(true))
  assert.deepEqual(one.index('phone', 'x'), one.index('phone', 'x'))
  assert.notDeepEqual(one.index('phone', 'x'), one.index('pin', 'x'))
  assert.notDeepEqual(one.index('phone', 'x'), two.index('phone', 'x'))
})

test('key ring: anything but a whole ring is refused', () => {
  const good = generateKeyRing(false)
  assert.equal(parseKeyRing(JSON.stringify(good)).generated, false)
  const bad: unknown[] = [
    null,
    [],
    { ...good, version: 2 },
    { ...good, numberKey: 'short' },
    { ...good, encryption: { current: 'x', keys: good.encryption.keys } },
    { ...good, index: undefined },
  ]
  for (const ring of bad) assert.throws(() => parseKeyRing(JSON.stringify(ring)), BadKeyRing)
  assert.throws(() => parseKeyRing('{'), BadKeyRing)
})

test('seoul time: midnight there, whatever the zone here', () => {
  assert.equal(seoulDate(Temporal.Instant.from('2026-11-15T14:59:59.999Z')).toString(), '2026-11-15')
  assert.equal(seoulDate(Temporal.Instant.from('2026-11-15T15:00:00Z')).toString(), '2026-11-16')
})

test('dates: real ones, padded or not; nothing else', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1900-01-01'), max: new Date('2999-12-31'), noInvalidDate: true }),
      (date) => {
        const iso = date.toISOString().slice(0, 10)
        assert.equal(parseDate(iso)?.toString(), iso)
        assert.equal(parseDate(iso.replaceAll('-0', '-'))?.toString(), iso)
      },
    ),
  )
  for (const text of [
    '2026-02-29',
    '2026-13-01',
    '2026-00-01',
    '2026-1-32',
    '26-1-1',
    '2026-1',
    ' 2026-1-1',
    '2026-1-1 ',
  ]) {
    assert.equal(parseDate(text), undefined, text)
  }
  assert.equal(parseDate('2028-2-29')?.toString(), '2028-02-29')
})

test('networks: IPv4, IPv6 and mapped addresses', () => {
  const allowed = networks(['10.1.0.0/16', '2001:db8::/32', '203.0.113.7', '::ffff:198.51.100.0/120', '::1'])
  const cases: [string, boolean][] = [
    ['10.1.255.255', true],
    ['10.2.0.0', false],
    ['::ffff:10.1.0.1', true],
    ['::ffff:a01:1', true],
    ['0:0:0:0:0:ffff:10.1.0.1', true],
    ['::FFFF:10.2.0.1', false],
    ['::10.1.0.1', false],
    ['198.51.100.200', true],
    ['::ffff:198.51.100.200', true],
    ['198.51.101.1', false],
    ['::1', true],
    ['0:0:0:0:0:0:0:1', true],
    ['::1%lo', false],
    ['10.1.0.1:80', false],
    ['2001:db8:1::1', true],
    ['2001:db9::1', false],
    ['203.0.113.7', true],
    ['203.0.113.8', false],
    ['not an address', false],
    ['', false],
  ]
  for (const [address, inside] of cases) assert.equal(allowed.has(address), inside, address)
  assert.deepEqual(
    ['1.2.3.4', '1.2.3.4/33', '1.2.3/8', '::/129', '::/0', 'fe80::1%eth0', '1.2.3.4/', 'x'].map(isNetwork),
    [true, false, false, false, true, false, false, false],
  )
})

test('token bucket: a second of requests at once, then evenly', () => {
  const bucket = new TokenBucket(10, 0)
  const burst = Array.from({ length: 12 }, () => bucket.take(10, 0).allowed)
  assert.equal(burst.filter(Boolean).length, 10)
  assert.equal(bucket.take(10, 99).allowed, false)
  assert.equal(bucket.take(10, 201).allowed, true)
  assert.equal(bucket.take(10, 10_000).remaining, 9)
})

test('secrets print as [secret] wherever they land', () => {
  const secret = new Secret<'pin'>('hunter2')
  assert.equal(secret.reveal(), 'hunter2')
  for (const text of [`${secret}`, JSON.stringify({ secret }), inspect({ secret }), String(secret)]) {
    assert.ok(!text.includes('hunter2') && text.includes('[secret]'), text)
  }
})

test('ids: base62 is even enough, request ids differ', () => {
  const text = randomBase62(62_000)
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  assert.equal(counts.size, 62)
  for (const count of counts.values()) assert.ok(count > 800 && count < 1200)
  assert.notEqual(newRequestId(), newRequestId())
})
