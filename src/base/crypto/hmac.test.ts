import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { codePoint } from '#test/code-point.ts'
import { createHmacSha256 } from './hmac.ts'

test("hmac: RFC 4231's first two cases", () => {
  const first = createHmacSha256(Buffer.alloc(20, 0x0b))('Hi There').toString('hex')
  assert.equal(first, 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7')
  const second = createHmacSha256(Buffer.from('Jefe'))('what do ya want for nothing?').toString('hex')
  assert.equal(second, '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')
})

test("hmac: the same as the runtime's, for any key and any text, one after the other", () => {
  const key = fc.uint8Array({ minLength: 0, maxLength: 64 }).map((bytes) => Buffer.from(bytes))
  // Halves of characters too, and texts on both sides of the length that takes the other way.
  const text = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 40 }),
    fc.string({ unit: fc.constantFrom('a', '한', '\ud83d', '😀'), minLength: 300, maxLength: 400 }),
  )
  fc.assert(
    fc.property(key, fc.array(text, { minLength: 2, maxLength: 5 }), (secret, texts) => {
      const hmac = createHmacSha256(secret)
      const expected = texts.map((one) => createHmac('sha256', secret).update(one).digest('hex'))
      const made = texts.map((one) => hmac(one))
      // Compared after all were made: none shares its memory with a later one.
      assert.deepEqual(
        made.map((one) => one.toString('hex')),
        expected,
      )
    }),
  )
})

test('hmac: a key longer than a block is refused', () => {
  assert.throws(() => createHmacSha256(Buffer.alloc(65)))
})
