import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideAct, maskAccount } from './rules.ts'
import { WITHDRAWAL_STATUSES, type WithdrawalAct } from './types.ts'

// Which act leads where from each status, by a second person.
const TABLE: Record<WithdrawalAct, readonly (string | undefined)[]> = {
  //         requested    approved   paid       cancelled  refused
  approve: ['approved', undefined, undefined, undefined, undefined],
  pay: [undefined, 'paid', undefined, undefined, undefined],
  refuse: ['refused', 'refused', undefined, undefined, undefined],
  cancel: ['cancelled', undefined, undefined, undefined, undefined],
}
for (const [act, expected] of Object.entries(TABLE)) {
  test(`withdrawal: ${act}`, () => {
    const reached = WITHDRAWAL_STATUSES.map((status) => {
      const decision = decideAct({ status, approvedBy: 'first' }, act as WithdrawalAct, 'second')
      return decision.kind === 'allowed' ? decision.to : undefined
    })
    assert.deepEqual(reached, expected)
  })
}

test('who approves does not pay, but may refuse', () => {
  const approved = { status: 'approved', approvedBy: 'first' } as const
  assert.deepEqual(decideAct(approved, 'pay', 'first'), { kind: 'refused', reason: 'same_person' })
  assert.deepEqual(decideAct(approved, 'refuse', 'first'), { kind: 'allowed', to: 'refused' })
  assert.deepEqual(decideAct(undefined, 'pay', 'first'), { kind: 'refused', reason: 'not_found' })
})

test('an account is masked but for its end', () => {
  assert.deepEqual(['110123456789', '1234', '12'].map(maskAccount), ['········6789', '1234', '12'])
})
