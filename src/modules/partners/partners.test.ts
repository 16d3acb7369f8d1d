import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hashApiKey, newApiKey, parseApiKey } from './api-key.ts'
import { isPartnerCode, newTerms, refuseTerms } from './rules.ts'
import type { PartnerTermsRefusal } from './types.ts'

test('a key pattern whose matching could take long is refused', () => {
  const terms = { ...newTerms('sandbox'), name: 'x', keyFormat: 'custom' as const }
  const refused = (keyPattern: string) => refuseTerms({ ...terms, keyPattern }) !== undefined
  assert.deepEqual(['[a-z0-9]{6,32}', '.{1,128}', '(a+)+b'].filter(refused), [])
  const large = ['(a?){500}(a){0,500}(a?){500}', '.{1,999}', '(a|b|c){1,900}']
  assert.deepEqual(large.filter(refused), large)
})

test('api key: its shape, its id, and its mode', () => {
  const { id, key, secretHash } = newApiKey('test')
  assert.match(key.reveal(), /^ik_test_[0-9A-Za-z]{50}$/)
  assert.equal(parseApiKey('test', key.reveal()), id)
  assert.equal(parseApiKey('live', key.reveal()), undefined)
  assert.deepEqual(hashApiKey(key.reveal()), secretHash)
  assert.equal(JSON.stringify({ key }), '{"key":"[secret]"}')
})

test('api key: a slip is told without a query', () => {
  const text = newApiKey('live').key.reveal()
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.constantFrom(...'0aZ_'), (at, character) => {
      fc.pre(text[at] !== character)
      assert.equal(parseApiKey('live', text.slice(0, at) + character + text.slice(at + 1)), undefined)
    }),
  )
})

const terms = { name: 'x', ...newTerms('sandbox') }
const REFUSED: [Partial<typeof terms>, PartnerTermsRefusal][] = [
  [{ name: '' }, 'name_length'],
  [{ name: 'a\nb' }, 'name_unreadable'],
  [{ status: 'gone' as 'active' }, 'status_unknown'],
  [{ keyFormat: 'custom' }, 'key_pattern_missing'],
  [{ keyPattern: 'x' }, 'key_pattern_unused'],
  [{ keyFormat: 'custom', keyPattern: '(' }, 'key_pattern_invalid'],
  [{ keyFormat: 'custom', keyPattern: '(a)\\1' }, 'key_pattern_invalid'],
  [{ keyFormat: 'custom', keyPattern: 'x'.repeat(201) }, 'key_pattern_invalid'],
  [{ amountMin: 0n }, 'amount_min_too_small'],
  [{ amountMin: 5n, amountMax: 4n }, 'amount_max_below_min'],
  [{ validityMonths: 11 }, 'validity_too_short'],
  [{ validityMonths: 121 }, 'validity_too_long'],
  [{ creditLimit: -1n }, 'credit_limit_out_of_bounds'],
  [{ rateLimit: -1 }, 'rate_limit_out_of_bounds'],
  [{ networks: ['10.0.0.0/40'] }, 'network_invalid'],
]
for (const [change, why] of REFUSED) {
  test(`terms: ${why}`, () => assert.equal(refuseTerms({ ...terms, ...change }), why))
}

test('terms: the defaults hold in both modes', () => {
  for (const mode of ['sandbox', 'live'] as const) {
    assert.equal(refuseTerms({ name: 'x', ...newTerms(mode) }), undefined)
  }
})

test('partner codes', () => {
  assert.deepEqual(['a', 'A-1_b.c', '', '-a', 'a b', 'a/b', 'x'.repeat(65)].map(isPartnerCode), [
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})
