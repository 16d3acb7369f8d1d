import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { findTotpStep, newTotpSecret, toBase32, totpCode, totpStepAt, totpUri } from './totp.ts'

const at = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(seconds * 1_000)

// RFC 6238, appendix B, SHA-1: its eight digits end with our six.
const SEED = toBase32(Buffer.from('12345678901234567890'))
const VECTORS: [seconds: number, eight: string][] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
]
for (const [seconds, eight] of VECTORS)
  test(`RFC 6238 at ${seconds} s`, () =>
    assert.equal(totpCode(SEED, totpStepAt(at(seconds))), eight.slice(2)))

test('codes and the address of the QR code are those of an authenticator app', () => {
  for (let i = 0; i < 50; i += 1) {
    const secret = newTotpSecret()
    const app = new TOTP({ secret: Secret.fromBase32(secret), issuer: 'Ingot', label: 'kim@ingot.example' })
    const seconds = 1_700_000_000 + i * 12_345
    assert.equal(totpCode(secret, totpStepAt(at(seconds))), app.generate({ timestamp: seconds * 1_000 }))
  }
  const secret = newTotpSecret()
  assert.equal(secret.length, 32)
  const uri = new URL(totpUri(secret, { issuer: 'Ingot', name: 'kim@ingot.example' }))
  assert.equal(uri.searchParams.get('secret'), secret)
  assert.equal(
    decodeURIComponent(uri.pathname),
    '/Ingot:kim@ingot.example'.replace('/', uri.pathname.startsWith('//') ? '//totp/' : '/'),
  )
})

test('a code is good for its half minute and the ones beside it, and once', () => {
  const secret = newTotpSecret()
  const now = at(1_700_000_010)
  const step = totpStepAt(now)
  const find = (code: string, after: bigint | null = null) => findTotpStep(secret, code, { now, after })
  for (const near of [-1n, 0n, 1n]) assert.equal(find(totpCode(secret, step + near)), step + near)
  for (const far of [-2n, 2n]) assert.equal(find(totpCode(secret, step + far)), undefined)
  assert.equal(find(totpCode(secret, step), step), undefined, 'used')
  assert.equal(find(totpCode(secret, step - 1n), step), undefined, 'older than the one used')
  assert.equal(find(totpCode(secret, step + 1n), step), step + 1n)
  for (const bad of ['', '12345', '1234567', '12345a', '１２３４５６'])
    assert.equal(find(bad), undefined, bad)
})
