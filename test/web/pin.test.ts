import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPin, parsePin } from '#modules/gift-cards/pin.ts'
import { cleanPin, findPin, groupPin, isPinPlausible, readEdit } from '../../web/member/register/pin.ts'

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

test('a PIN is found in the message that was copied', () => {
  const pin = newPin().reveal()
  const shown = groupPin(pin)
  const full = [...shown].map((c) => (c === '-' ? c : String.fromCharCode(c.charCodeAt(0) + 0xfee0))).join('')
  for (const said of [
    `- PIN 번호: ${shown}`,
    `한빛페이\n금액 50,000원\nPIN ${pin}\n2027-11-15까지`,
    full,
    shown.toLowerCase(),
  ])
    assert.equal(findPin(said), pin, said)
  for (const none of ['', '010-1234-5678', '1234-5678-9012-3456 아님', `${pin}X`])
    assert.equal(findPin(none), undefined, none)
})

test('groups of four as they are typed', () => {
  const shown = ['', 'A', 'ABCD', 'ABCDE', 'ABCDEFGH', '0123456789ABCDEF'].map(groupPin)
  assert.deepEqual(shown, ['', 'A', 'ABCD', 'ABCD-E', 'ABCD-EFGH', '0123-4567-89AB-CDEF'])
  assert.equal(isPinPlausible(''), false)
  assert.equal(cleanPin('카드 PIN: U!').length, 3, 'what cannot be in a PIN falls away')
})

// The text after the edit with | for the caret, what the PIN was, how it was edited; then what is shown.
const EDITS: [edited: string, was: string, by: string, shown: string][] = [
  ['ABCD1|', 'ABCD', 'insertText', 'ABCD-1|'],
  ['ABZ|CD-1234', 'ABCD1234', 'insertText', 'ABZ|C-D123-4'],
  ['ABCZ|D-1234', 'ABCD1234', 'insertText', 'ABCZ-|D123-4'],
  ['ABCD|1234', 'ABCD1234', 'deleteContentBackward', 'ABC|1-234'],
  ['ABCD|1234', 'ABCD1234', 'deleteContentForward', 'ABCD-|234'],
  ['|BCD-1234', 'ABCD1234', 'deleteContentBackward', '|BCD1-234'],
  ['ABCD-1234|', 'ABCD12345', 'deleteContentBackward', 'ABCD-1234|'],
  ['abcd efgh jkmn pqrs|', '', 'insertFromPaste', 'ABCD-EFGH-JKMN-PQRS|'],
]
for (const [edited, was, by, shown] of EDITS) {
  test(`the caret stays where one types: ${edited} ${by}`, () => {
    const { pin, caret } = readEdit(edited.replace('|', ''), edited.indexOf('|'), was, by)
    const grouped = groupPin(pin)
    assert.equal(`${grouped.slice(0, caret)}|${grouped.slice(caret)}`, shown)
  })
}
