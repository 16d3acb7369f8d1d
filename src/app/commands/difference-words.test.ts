import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differenceOf } from '#modules/approvals/difference.ts'
import { differenceLines } from './difference-words.ts'

const linesOf = (asset: string, amount: string) =>
  differenceLines(
    differenceOf({ kind: 'adjustment', payload: { asset, amount }, basis: { balance: '8460071' } }),
  ).map((line) => line.replace(/ +/, ' '))

test('a correction of points is no won, and its change has a sign', () => {
  assert.deepEqual(linesOf('KRW_POINT', '5000'), ['points 8,460,071P → 8,465,071P', 'change +5,000P'])
  assert.deepEqual(linesOf('KRW', '-71'), ['deposit ₩8,460,071 → ₩8,460,000', 'change -₩71'])
})
