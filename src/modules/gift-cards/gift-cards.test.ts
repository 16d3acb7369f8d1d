import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Vault } from '#base/crypto/vault.ts'
import { LINK_CODE_LENGTH, linkCodeOf, readLinkCode } from './link-code.ts'
import { decidePurchases } from './model.ts'
import { maskMobile, normalizeMobile } from './phone.ts'
import { newPin, parsePin } from './pin.ts'
import { isReminderTime, parseCardIdentifier, refuseVoid } from './rules.ts'
import type { CardId, TxId } from './types.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

test('pin: every single slip and every swap of two characters is caught', () => {
  for (let round = 0; round < 40; round += 1) {
    const pin = newPin().reveal()
    assert.match(pin, /^[0-9A-HJKMNP-TV-Z]{16}$/)
    assert.equal(parsePin(pin)?.reveal(), pin)
    for (let i = 0; i < 16; i += 1) {
      for (const character of ALPHABET) {
        if (character === pin[i]) continue
        assert.equal(parsePin(pin.slice(0, i) + character + pin.slice(i + 1)), undefined)
      }
      for (let j = i + 1; j < 16; j += 1) {
        if (pin[i] === pin[j]) continue
        const swapped = [...pin]
        swapped[i] = pin[j]!
        swapped[j] = pin[i]!
        assert.equal(parsePin(swapped.join('')), undefined)
      }
    }
  }
})

test('pin: read as a person types it', () => {
  const pin = newPin().reveal()
  const typed = pin.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l')
  assert.equal(parsePin(typed.replace(/(.{4})(?=.)/g, '$1-'))?.reveal(), pin)
  assert.equal(parsePin(` ${pin.replace(/(.{4})/g, '$1 ')}`)?.reveal(), pin)
  for (const text of ['', pin.slice(1), `${pin}0`, pin.replace(/.$/, 'U')])
    assert.equal(parsePin(text), undefined)
})

test('phone: ways of writing one number come to one number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999 }), (number) => {
      const tail = String(number).padStart(8, '0')
      const [a, b] = [tail.slice(0, 4), tail.slice(4)]
      const ways = [`010${tail}`, `010-${a}-${b}`, `010 ${a} ${b}`, `+82 10-${a}-${b}`, `+8210${tail}`]
      assert.deepEqual(new Set(ways.map(normalizeMobile)), new Set([`+8210${tail}`]))
      assert.equal(maskMobile(`+8210${tail}`), `010-****-${b}`)
    }),
    { numRuns: 200 },
  )
})

test('phone: any 010 with eight digits is one, whether a library knows its block or not', () => {
  for (let block = 0; block < 10_000; block += 1) {
    const digits = String(block).padStart(4, '0')
    for (const text of [`010${digits}5678`, `+82 10-${digits}-5678`])
      assert.equal(normalizeMobile(text), `+8210${digits}5678`, text)
  }
})

const NUMBERS: [text: string, number: string | undefined][] = [
  ['010-5970-0000', '+821059700000'],
  ['010-5985-1234', '+821059851234'],
  ['010-5999-9999', '+821059999999'],
  ['+82 010-5990-0001', '+821059900001'],
  ['0 1 0-5990-0001', '+821059900001'],
  ['010-0000-0000', '+821000000000'],
  ['010-599-0001', undefined],
  ['010-5990-00011', undefined],
  ['01059900', undefined],
  ['011-234-5678', '+82112345678'],
  ['017-123-4567', '+82171234567'],
  ['013-1234-5678', undefined],
  ['１０10-5990-0001', undefined],
]
for (const [text, number] of NUMBERS)
  test(`phone: ${text} is ${number ?? 'refused'}`, () => assert.equal(normalizeMobile(text), number))

test('identifiers: UUIDs and card numbers, nothing else', () => {
  const uuid = '019a8b1e-5b6c-7f04-8c11-0b9d8e7f6a55'
  assert.deepEqual(parseCardIdentifier(uuid.toUpperCase()), { kind: 'uuid', uuid })
  assert.deepEqual(parseCardIdentifier('4821739051827364'), { kind: 'number', number: 4821739051827364n })
  assert.deepEqual(parseCardIdentifier('9007199254740991')?.kind, 'number')
  for (const text of ['9007199254740992', '01', '', uuid.slice(1), `${uuid} `, '1 ']) {
    assert.equal(parseCardIdentifier(text), undefined)
  }
})

// Each row breaks its own rule and all later ones: a partner sees the first that applies.
const CASES: [active: boolean, keyHeld: boolean, amount: bigint, credit: bigint, expect: string][] = [
  [false, true, 0n, 0n, 'partner_suspended'],
  [true, true, 0n, 0n, 'key_reused'],
  [true, false, 0n, 0n, 'amount_out_of_bounds'],
  [true, false, 9000n, 8999n, 'credit_limit'],
  [true, false, 9000n, 9000n, 'issued'],
]
const card = (n: number) => ({ giftId: `gift ${n}` as CardId, txId: `tx ${n}` as TxId })
for (const [active, keyHeld, amount, credit, expect] of CASES) {
  test(`buy: ${expect}`, () => {
    const kept = keyHeld ? [['k', { request: 'another', card: card(0) }] as const] : []
    const [outcome] = decidePurchases(
      { active, amountMin: 1n, amountMax: 10_000n, credit, kept: new Map(kept) },
      [{ amount, card: card(1), idempotency: { key: 'k', request: 'this' } }],
    )
    assert.equal(outcome?.kind === 'refused' ? outcome.reason : outcome?.kind, expect)
  })
}

// As the vault's own: keyed, and by purpose.
const keyedVault = (key: string) =>
  ({
    fingerprint: (purpose: string, value: string) =>
      createHmac('sha256', key).update(`${purpose}\0${value}`).digest(),
  }) as unknown as Vault

test('link codes: found again, never like a PIN, and no character of one can be changed', () => {
  const vault = keyedVault('k')
  const number = fc.bigInt(10n ** 15n, 9n * 10n ** 15n - 1n)
  fc.assert(
    fc.property(number, fc.nat(LINK_CODE_LENGTH - 1), fc.nat(30), (one, at, by) => {
      const code = linkCodeOf(vault, one).reveal()
      assert.match(code, /^[a-z2-7]{37}$/)
      assert.equal(readLinkCode(vault, code), one)
      assert.equal(parsePin(code), undefined)
      assert.doesNotMatch(`#${code}`, /[0-9A-Z]{4}(-[0-9A-Z]{4}){3}|[0-9A-HJKMNP-TV-Z]{16}/)
      const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'.replace(code[at]!, '')
      assert.equal(readLinkCode(vault, code.slice(0, at) + alphabet[by]! + code.slice(at + 1)), undefined)
      assert.equal(readLinkCode(keyedVault('other'), code), undefined)
    }),
    { numRuns: 2_000 },
  )
  for (let round = 0; round < 1_000; round += 1) {
    assert.equal(readLinkCode(vault, newPin().reveal()), undefined)
  }
})

test('void: only a card nobody has had value from', () => {
  assert.deepEqual(
    [undefined, { status: 'issued' }, { status: 'used' }, { status: 'voided' }, { status: 'expired' }].map(
      (found) => refuseVoid(found as Parameters<typeof refuseVoid>[0]),
    ),
    ['not_found', undefined, 'used', 'voided', 'expired'],
  )
})

test('reminders: by day, and in a sandbox at once', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  assert.deepEqual(
    hours.filter((hour) => isReminderTime({ hour, sandbox: false })),
    [10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
  )
  assert.ok(hours.every((hour) => isReminderTime({ hour, sandbox: true })))
})
