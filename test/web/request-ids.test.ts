import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRequestIds } from '../../web/member/withdraw/request-ids.ts'

const wish = { amount: 50_000, bank: '088', account: '110-123-456789' }

function storage(first: string | null = null) {
  let stored = first
  const place = {
    getItem: () => stored,
    setItem(_: string, text: string) {
      stored = text
    },
  }
  return { open: () => createRequestIds(() => place), text: () => stored ?? '' }
}

test('the same wish has the same id, after a reload too, until it is answered; another has another', () => {
  const { open, text } = storage()
  const ids = open()
  assert.equal(ids.isWaiting(wish), false)
  const id = ids.idOf(wish)
  const other = ids.idOf({ ...wish, amount: 50_001 })
  assert.equal(new Set([id, other, ids.idOf({ ...wish, bank: '004' })]).size, 3)
  const reloaded = open()
  assert.equal(reloaded.idOf({ ...wish, account: '110123456789' }), id, 'hyphens are not part of an account')
  assert.equal(reloaded.idOf({ ...wish, amount: 50_001 }), other)
  reloaded.forget(wish)
  assert.notEqual(open().idOf(wish), id)
  assert.equal(open().isWaiting({ ...wish, amount: 50_001 }), true)
  assert.doesNotMatch(text(), /123456|50000/, 'no account and no amount is stored')
})

test('no more are kept than can be made in a day, the newest', () => {
  const { open, text } = storage()
  const ids = open()
  for (let amount = 1; amount <= 25; amount += 1) ids.idOf({ ...wish, amount })
  assert.equal(JSON.parse(text()).length, 20)
  assert.deepEqual(
    [ids.isWaiting({ ...wish, amount: 5 }), ids.isWaiting({ ...wish, amount: 6 })],
    [false, true],
  )
})

for (const junk of ['', '{', '{}', 'null', '[null, 1, {"wish": 1}]', '"x"']) {
  test(`what else may be stored is ignored: ${junk || 'nothing'}`, () => {
    const ids = storage(junk).open()
    assert.equal(ids.isWaiting(wish), false)
    assert.equal(ids.idOf(wish), ids.idOf(wish))
  })
}

test('where nothing may be stored, an id lasts as long as the page', () => {
  const ids = createRequestIds(() => {
    throw new Error('SecurityError')
  })
  assert.equal(ids.idOf(wish), ids.idOf(wish))
})
