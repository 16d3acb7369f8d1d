import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPin } from '../../../web/member/register/pin.ts'
import { BANKS } from '../../../web/member/shared/banks.ts'
import { bankName } from './banks.ts'
import { decideAct, maskAccount } from './rules.ts'
import { hashOfStopCode, newStopCode } from './stop-code.ts'
import { WITHDRAWAL_STATUSES, type WithdrawalAct } from './types.ts'

// Which act leads where from each status, by a second person.
const TABLE: Record<WithdrawalAct, readonly (string | undefined)[]> = {
  //         requested    approved   paid       cancelled  refused
  approve: ['approved', undefined, undefined, undefined, undefined],
  pay: [undefined, 'paid', undefined, undefined, undefined],
  refuse: ['refused', 'refused', undefined, undefined, undefined],
  cancel: ['cancelled', undefined, undefined, undefined, undefined],
  stop: ['cancelled', undefined, undefined, undefined, undefined],
}
for (const [act, expected] of Object.entries(TABLE)) {
  test(`withdrawal: ${act}`, () => {
    const reached = WITHDRAWAL_STATUSES.map((status) => {
      const decision = decideAct({ status, waits: false }, act as WithdrawalAct)
      return decision.kind === 'allowed' ? decision.to : undefined
    })
    assert.deepEqual(reached, expected)
  })
}

test('a status comes before the person, and the person before the wait', () => {
  const approved = { status: 'approved', waits: true } as const
  const refused = (reason: string) => ({ kind: 'refused', reason })
  assert.deepEqual(decideAct(approved, 'approve', 'same_person'), refused('approved'))
  assert.deepEqual(decideAct(approved, 'pay', 'same_person'), refused('same_person'))
  assert.deepEqual(decideAct(approved, 'pay', 'restore_examined'), refused('restore_examined'))
  assert.deepEqual(decideAct(undefined, 'pay'), refused('not_found'))
})

test('while it waits it is not paid, and can be stopped although it is approved', () => {
  const waiting = { status: 'approved', waits: true } as const
  assert.deepEqual(decideAct(waiting, 'pay'), { kind: 'refused', reason: 'waits' })
  assert.deepEqual(decideAct(waiting, 'stop'), { kind: 'allowed', to: 'cancelled' })
  assert.deepEqual(decideAct(waiting, 'cancel'), { kind: 'refused', reason: 'approved' })
  const done = { ...waiting, waits: false }
  assert.deepEqual(decideAct(done, 'stop'), { kind: 'refused', reason: 'approved' })
})

test('the same banks as on the pages', () => {
  for (const [code, names] of Object.entries(BANKS)) {
    assert.deepEqual({ ko: bankName(code, 'ko'), en: bankName(code, 'en') }, names)
  }
  assert.equal(bankName('999', 'ko'), '999')
})

test('a stop code has 128 bits, reads like no PIN, and is found by its hash alone', () => {
  const codes = Array.from({ length: 1_000 }, newStopCode)
  assert.equal(new Set(codes.map(({ code }) => code)).size, 1_000)
  for (const { code, hash } of codes) {
    assert.equal(findPin(`https://ingot.example/stop#${code}`), undefined)
    assert.equal(code.replaceAll('u', '').length, 32)
    assert.deepEqual(hashOfStopCode(code), hash)
  }
  for (const wrong of ['', 'x', codes[0]!.code.toUpperCase(), `${codes[0]!.code} `, codes[0]!.code.slice(1)])
    assert.equal(hashOfStopCode(wrong), undefined)
})

test('an account is masked but for its end', () => {
  assert.deepEqual(['110123456789', '1234', '12'].map(maskAccount), ['········6789', '1234', '12'])
})
