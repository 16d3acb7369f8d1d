import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refundLines } from '../../web/member/refund/refund-lines.ts'

const offer = { quoteId: '', face: 9_999, percent: 90, deduction: 999, total: 9_000 }
const shown = (payout: 'points' | 'money', language: 'ko' | 'en', more = {}) =>
  refundLines({ ...offer, payout, ...more }, language).map(({ name, value }) => `${name}: ${value}`)

test('a refund’s lines: what is kept back has a minus, points never look like won', () => {
  assert.deepEqual(shown('money', 'ko'), [
    '상품권 금액: 9,999원',
    '공제 (환불률 90%): -999원',
    '받는 금액: 9,000원',
  ])
  assert.deepEqual(shown('points', 'en', { percent: 100, deduction: 0, total: 9_999 }), [
    'Value of the card: ₩9,999',
    'Deduction (100% is refunded): ₩0',
    'You receive: 9,999P',
  ])
})
