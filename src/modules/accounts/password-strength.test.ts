import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hangulAsTyped } from '#base/text/hangul.ts'
import { isWeakPassword } from './password-strength.ts'

const OWNER = { loginId: 'hana90', name: '김하나', birthday: '19900131', mdn: '01000010001' }

const WEAK = [
  'short-pw1',
  'x'.repeat(129),
  'line\nbreak-password',
  // Few characters, rows of a keyboard, sequences.
  'aaaaaaaaaaaaaa',
  '1234567890',
  'qwertyuiop12',
  'qwerty12345',
  '1q2w3e4r5t',
  'asdf1234!@',
  'zxcvbnm,./12',
  'abcd1234efgh',
  'hana90hana90hana90',
  // What everybody has, with a sign, a year or figures for letters.
  'password2026',
  'Passw0rd!1',
  'P@ssw0rd123',
  'summer2026!',
  'sunshine!2026',
  'iloveyou2026!',
  'football#99',
  // Of this service.
  'ingot12345!',
  'ingotgold2026',
  'Gold12345!',
  // Korean, as written and as typed on an English keyboard.
  '비밀번호1234!',
  '사랑해사랑해1004',
  '대한민국만세2026',
  'qlalfqjsgh12',
  'tkfkdgo1004!',
  'eogksalsrnr1!',
  'rkskekfk1234',
  // Of this person.
  '19900131hana90',
  '김하나19900131!',
  'rlagksk1990!',
  'hana90!0131',
  '010-0001-0001',
]
for (const password of WEAK) {
  test(`weak: ${JSON.stringify(password.slice(0, 24))}`, async () => {
    assert.equal(await isWeakPassword(password, OWNER), true)
  })
}

const GOOD = [
  'correct horse battery',
  'hana90-likes-hiking-uphill',
  'xK9#mQ2$vL',
  'mirror-lake-cabin',
  'my dog ate 3 shoes',
  '골드바를모으는재미가있어',
  `${'a strong one '.repeat(9)}`,
]
for (const password of GOOD) {
  test(`good: ${JSON.stringify(password.slice(0, 24))}`, async () => {
    assert.equal(await isWeakPassword(password, OWNER), false)
  })
}

test('Korean as it is typed', () => {
  assert.deepEqual(['비밀번호', '사랑해', '값', '왜ABC', '꽃'].map(hangulAsTyped), [
    'qlalfqjsgh',
    'tkfkdgo',
    'rkqt',
    'dhoABC',
    'Rhc',
  ])
})
