import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPin, parsePin } from '#modules/gift-cards/pin.ts'
import { cleanPin, groupPin, isPinPlausible } from '../../web/kit/pin.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const pins = Array.from({ length: 200 }, () => newPin().reveal())

test('the page and the service agree on every PIN and on every slip', () => {
  for (const pin of pins) {
    assert.ok(isPinPlausible(pin))
    const at = pins.indexOf(pin) % 16
    for (const character of ALPHABET) {
      const slipped = pin.slice(0, at) + character + pin.slice(at + 1)
      assert.equal(isPinPlausible(slipped), parsePin(slipped) !== undefined)
      assert.equal(isPinPlausible(slipped), slipped === pin)
    }
  }
})

const TYPED: [name: string, change: (pin: string) => string][] = [
  ['as it is printed', groupPin],
  ['in small letters', (pin) => pin.toLowerCase()],
  ['with spaces around and between', (pin) => `  ${groupPin(pin).replaceAll('-', ' ')}\n`],
  ['with O for 0', (pin) => pin.replaceAll('0', 'O')],
  ['with l and i for 1', (pin) => pin.replace('1', 'l').replaceAll('1', 'i')],
]
for (const [name, change] of TYPED) {
  test(`a PIN ${name} is the same PIN, here and there`, () => {
    for (const pin of pins) {
      assert.equal(cleanPin(change(pin)), pin)
      assert.equal(parsePin(change(pin))?.reveal(), pin)
    }
  })
}

test('groups of four as they are typed', () => {
  const shown = ['', 'A', 'ABCD', 'ABCDE', 'ABCDEFGH', '0123456789ABCDEF'].map(groupPin)
  assert.deepEqual(shown, ['', 'A', 'ABCD', 'ABCD-E', 'ABCD-EFGH', '0123-4567-89AB-CDEF'])
  assert.equal(isPinPlausible(''), false)
  assert.equal(cleanPin('카드 PIN: U!').length, 3, 'what cannot be in a PIN falls away')
})
