import assert from 'node:assert/strict'
import { createCipheriv } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { codePoint } from '#test/code-point.ts'
import { createAesGcm, NONCE_BYTES, TAG_BYTES } from './aes-gcm.ts'
import { Ghash } from './ghash.ts'

// What the runtime makes of the same text under the same nonce.
function byRuntime(key: Buffer, nonce: Buffer, text: string, associated: string): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(associated))
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

function sealedBy(seal: ReturnType<typeof createAesGcm>, text: string, associated: string): Buffer {
  const before = 3
  const target = Buffer.alloc(before + NONCE_BYTES + Buffer.byteLength(text) + TAG_BYTES, 0xaa)
  seal(target, before, text, associated)
  assert.deepEqual([...target.subarray(0, before)], [0xaa, 0xaa, 0xaa])
  return target.subarray(before)
}

const keys = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes))
// On both sides of a block, and of what is made beforehand; halves of characters too.
const texts = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('a', '한', '\ud83d', '😀'), maxLength: 70 }),
  fc.string({ minLength: 200, maxLength: 400 }),
)

test("aes-gcm: the same as the runtime's, for any key, text and place, one after the other", () => {
  fc.assert(
    fc.property(keys, fc.array(fc.tuple(texts, texts), { minLength: 1, maxLength: 9 }), (key, pairs) => {
      const seal = createAesGcm(key)
      const made = pairs.map(([text, associated]) => sealedBy(seal, text, associated))
      for (const [i, [text, associated]] of pairs.entries()) {
        const nonce = made[i]!.subarray(0, NONCE_BYTES)
        assert.equal(made[i]!.toString('hex'), byRuntime(key, nonce, text, associated).toString('hex'))
      }
    }),
  )
})

test('aes-gcm: no nonce comes twice, in far more seals than are made beforehand', () => {
  const seal = createAesGcm(Buffer.alloc(32, 7))
  const nonces = Array.from({ length: 1_000 }, (_, i) => {
    const text = 'x'.repeat(i % 60)
    const sealed = sealedBy(seal, text, 'place')
    const nonce = sealed.subarray(0, NONCE_BYTES)
    assert.deepEqual(sealed, byRuntime(Buffer.alloc(32, 7), nonce, text, 'place'))
    return nonce.toString('hex')
  })
  assert.equal(new Set(nonces).size, nonces.length)
})

// Test case 2 of the specification of GCM (McGrew and Viega): its hash key, ciphertext and GHASH.
test('ghash: the published case', () => {
  const ghash = new Ghash(Buffer.from('66e94bd4ef8a2c3b884cfa59ca342b2e', 'hex'))
  ghash.start()
  ghash.update(Buffer.from('0388dace60b6a392f328c2b971b2fe78', 'hex'), 0, 16)
  ghash.finish(0, 16)
  const hash = Buffer.alloc(16)
  ghash.addTo(hash, 0)
  assert.equal(hash.toString('hex'), 'f38cbb1ad69223dcc3457ae5b6b0f885')
})
