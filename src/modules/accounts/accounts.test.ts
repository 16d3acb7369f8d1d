import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPasswords } from './password.ts'
import { deviceLabel, isLoginId, isUnder14, maskLoginId, mayClose } from './rules.ts'

test('login ids', () => {
  for (const good of ['hana', 'hana90', 'a.b-c_d']) assert.ok(isLoginId(good), good)
  for (const bad of ['han', '9hana', 'Hana90', 'hana 90', 'a'.repeat(31), '']) assert.ok(!isLoginId(bad), bad)
  assert.deepEqual([maskLoginId('hana90'), maskLoginId('hana')], ['ha***0', 'ha*a'])
})

test('fourteen is old enough, on the day itself', () => {
  const today = Temporal.PlainDate.from('2026-11-15')
  assert.deepEqual(
    ['20121115', '20121116', '19900131', '20120229', 'nonsense'].map((day) => isUnder14(day, today)),
    [false, true, false, false, true],
  )
})

const DEVICES: [userAgent: string | undefined, label: string][] = [
  [
    'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Mobile Safari/537.36',
    'Chrome · Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
    'Safari · iOS',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0 Safari/537.36 Edg/153.0',
    'Edge · Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox · Linux'],
  ['curl/8', ''],
  [undefined, ''],
]
for (const [userAgent, label] of DEVICES) {
  test(`device: ${label || 'unknown'}`, () => assert.equal(deviceLabel(userAgent), label))
}

test('an account is closed when nothing is left, or so little that it is let go', () => {
  const cases: [value: bigint, openWithdrawals: number, waive: boolean, closes: boolean][] = [
    [0n, 0, false, true],
    [0n, 1, false, false],
    [999n, 0, false, false],
    [999n, 0, true, true],
    [1000n, 0, true, false],
  ]
  for (const [value, openWithdrawals, waive, closes] of cases) {
    assert.equal(mayClose({ value, openWithdrawals }, waive), closes, String([value, openWithdrawals, waive]))
  }
})

test('passwords are kept as argon2id, each with its salt; nobody has none', async () => {
  const passwords = createPasswords()
  const [one, two] = [await passwords.hash('correct horse'), await passwords.hash('correct horse')]
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.notEqual(one, two)
  assert.deepEqual(
    [
      await passwords.verify('correct horse', one, {}),
      await passwords.verify('Correct horse', one, {}),
      await passwords.verify('', one, {}),
      await passwords.verify('correct horse', null, {}),
    ],
    [true, false, false, false],
  )
})
