import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import type { KeyId, KnownKey } from '#modules/partners/types.ts'
import { createCheckedHeaders } from './known-partners.ts'

const ID = 'abcdefghijkl' as KeyId
const HEADER = 'Bearer ik_test_abcdefghijkl'

// A reading of the key: the cache makes another object each time it reads.
function read(): KnownKey {
  const partner = { id: 1, code: 'shop', active: true, rateLimit: 0 } as KnownKey['partner']
  const networks = { list: [], has: () => false }
  return { id: ID, secretHash: Buffer.alloc(32), scopes: [], networks, ended: null, partner }
}

test('checked headers: one counts for the reading it was checked against, and for no other', () => {
  const first = read()
  let now: KnownKey | undefined | Promise<KnownKey | undefined> = first
  const checked = createCheckedHeaders(() => now)
  assert.equal(checked.find(HEADER), undefined, 'never checked')
  checked.keep(HEADER, first)
  assert.equal(checked.find(HEADER), first)
  assert.equal(checked.find(`${HEADER} `), undefined, 'another text')
  now = Promise.resolve(first)
  assert.equal(checked.find(HEADER), undefined, 'the key is being read again')
  now = { ...read(), ended: 'revoked' }
  assert.equal(checked.find(HEADER), undefined, 'revoked')
  now = undefined
  assert.equal(checked.find(HEADER), undefined, 'gone')
  now = read()
  assert.equal(checked.find(HEADER), undefined, 'the same key, read again')
  checked.keep(HEADER, now)
  assert.equal(checked.find(HEADER), now)
})

test('checked headers: a caller that writes its header in ever new ways fills no memory', () => {
  const key = read()
  const checked = createCheckedHeaders(() => key)
  for (let i = 0; i < 25_000; i += 1) checked.keep(`Bearer ${i}`, key)
  const kept = Array.from({ length: 25_000 }, (_, i) => checked.find(`Bearer ${i}`)).filter(Boolean)
  assert.ok(kept.length <= 10_000, `${kept.length} kept`)
  assert.equal(checked.find('Bearer 24999'), key)
})

test('checked headers: a key leaves the memory within two seconds, though no request follows', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const key = read()
  const checked = createCheckedHeaders(() => key)
  const headers = ['Bearer 1', 'Bearer 2', 'Bearer 3']
  try {
    // The second round needs a timer of its own.
    for (const round of [1, 2]) {
      for (const header of headers) {
        checked.keep(header, key)
        mock.timers.tick(500)
      }
      for (const header of headers) assert.equal(checked.find(header), key, `${header}, round ${round}`)
      mock.timers.tick(500)
      for (const header of headers) assert.equal(checked.find(header), undefined, `${header}, round ${round}`)
    }
  } finally {
    mock.timers.reset()
  }
})
