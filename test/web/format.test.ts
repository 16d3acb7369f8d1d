import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as format from '../../web/kit/format.ts'
import { amountOf, signedAmount } from '../../web/member/shared/movements.ts'
import { isPeriodFine, periodOf } from '../../web/member/statement/periods.ts'

const AMOUNTS: [held: string, grams: string, don: string][] = [
  ['0.0000', '0 g', '0돈'],
  ['0.0001', '0.0001 g', '0돈'],
  ['1.2345', '1.2345 g', '0.329돈'],
  ['3.7500', '3.75 g', '1돈'],
  ['3.7499', '3.7499 g', '0.999돈'],
  ['12345678.9000', '12,345,678.9 g', '3,292,181.04돈'],
]
for (const [held, grams, don] of AMOUNTS) {
  test(`${held}: ${grams}, ${don}`, () => {
    assert.deepEqual([format.grams(held), format.don(held, 'ko')], [grams, don])
  })
}

test('up and down have a sign and an arrow', () => {
  assert.equal(format.change(1280, '0.65', 'ko'), '▲ +1,280원 (+0.65%)')
  assert.equal(format.change(-1280, '-0.65', 'en'), '▼ -₩1,280 (-0.65%)')
  assert.equal(format.change(0, null, 'ko'), '0원')
})

test('what moved', () => {
  assert.deepEqual(
    [signedAmount('points', '+50000', 'ko'), signedAmount('gold', '-3.0500', 'ko')],
    ['+50,000P', '-3.05 g'],
  )
  assert.deepEqual(
    [amountOf('deposit', '1203400', 'ko'), amountOf('silver', '0.0000', 'ko')],
    ['1,203,400원', '0 g'],
  )
})

test('moments are Seoul moments', () => {
  const moment = '2026-12-31T15:05:59Z'
  assert.equal(format.moment(moment, 'ko'), '2027년 1월 1일 0:05')
  assert.equal(format.moment(moment, 'en'), '1 Jan 2027, 0:05')
  assert.equal(format.seoulDay(moment), '2027-01-01')
})

test('periods of a statement are Seoul days', () => {
  const newYear = Date.parse('2026-12-31T15:05:59Z')
  assert.deepEqual(periodOf('month', newYear), { from: '2027-01-01', to: '2027-01-01' })
  assert.deepEqual(periodOf('before', newYear), { from: '2026-12-01', to: '2026-12-31' })
  assert.deepEqual(periodOf('quarter', newYear), { from: '2026-11-01', to: '2027-01-01' })
  assert.ok(isPeriodFine({ from: '2027-01-01', to: '2027-12-31' }))
  assert.ok(!isPeriodFine({ from: '2027-01-02', to: '2027-01-01' }))
  assert.ok(!isPeriodFine({ from: '2025-01-01', to: '2027-01-01' }))
  assert.ok(!isPeriodFine({ from: '', to: '2027-01-01' }))
})
