import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOfToken } from '#base/crypto/token.ts'
import { newHashKey, newSessionId } from './rules.ts'

test('hash keys and session ids: 43 characters for an address, a hash to keep, nothing to print', () => {
  for (const token of [newHashKey().key, newSessionId().id]) {
    assert.match(token.reveal(), /^[A-Za-z0-9_-]{43}$/)
    assert.equal(`${token} ${JSON.stringify({ token })}`, '[secret] {"token":"[secret]"}')
  }
  const { key, hash } = newHashKey()
  assert.deepEqual(hashOfToken(key.reveal()), hash)
  assert.equal(hash.length, 32)
  for (const wrong of ['', 'x', `${key.reveal()}x`, `${key.reveal().slice(1)}=`, `${key.reveal()}\n`]) {
    assert.equal(hashOfToken(wrong), undefined)
  }
})
