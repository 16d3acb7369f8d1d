import assert from 'node:assert/strict'
import { test } from 'node:test'
import { halfWidth, readAmount, showEdit } from '../../web/member/shared/amount/amount.ts'

const TYPED: [typed: string, won: string, grams: string][] = [
  ['50000', '50000', '50000'],
  ['50,000원', '50000', 'notNumber'],
  ['₩50,000', '50000', '50000'],
  [' 50,000 원 ', '50000', 'notNumber'],
  ['50,000P', '50000', 'notNumber'],
  ['1,000,000', '1000000', '1000000'],
  ['1,000,000,000', '1000000000', 'tooLarge'],
  ['1,000,000,001', 'tooLarge', 'tooLarge'],
  ['99999999999999999999999999', 'tooLarge', 'tooLarge'],
  ['0.0001', 'fraction', '0.0001'],
  ['0.0001 g', 'notNumber', '0.0001'],
  ['1,234.5g', 'notNumber', '1234.5'],
  ['.5', 'fraction', '0.5'],
  ['1.', 'fraction', '1'],
  ['007', '7', '7'],
  ['１２，０００원', '12000', 'notNumber'],
  ['０．５', 'fraction', '0.5'],
  ['12.5', 'fraction', '12.5'],
  ['12.0', 'fraction', '12.0'],
  ['1,5', 'comma', 'comma'],
  ['1,50', 'comma', 'comma'],
  ['1,0000', 'comma', 'comma'],
  ['10,00,000', 'comma', 'comma'],
  [',500', 'comma', 'comma'],
  ['500,', 'comma', 'comma'],
  ['1.23456', 'fraction', 'places'],
  ['1.00000', 'fraction', 'places'],
  ['1,000000.5', 'fraction', 'comma'],
  ['1000000.0001', 'fraction', 'tooLarge'],
  ['1e9', 'notNumber', 'notNumber'],
  ['1E3', 'notNumber', 'notNumber'],
  ['0x10', 'notNumber', 'notNumber'],
  ['1_000', 'notNumber', 'notNumber'],
  ['1 000', 'notNumber', 'notNumber'],
  ['-1', 'notNumber', 'notNumber'],
  ['−1', 'notNumber', 'notNumber'],
  ['+1', 'notNumber', 'notNumber'],
  ['1.2.3', 'notNumber', 'notNumber'],
  ['5만', 'notNumber', 'notNumber'],
  ['5만원', 'notNumber', 'notNumber'],
  ['10²', 'notNumber', 'notNumber'],
  ['①', 'notNumber', 'notNumber'],
  ['½', 'notNumber', 'notNumber'],
  ['٣', 'notNumber', 'notNumber'],
  ['NaN', 'notNumber', 'notNumber'],
  ['Infinity', 'notNumber', 'notNumber'],
  ['.', 'notNumber', 'notNumber'],
  [',', 'notNumber', 'notNumber'],
  ['', 'empty', 'empty'],
  [' \u00a0\u3000', 'empty', 'empty'],
  ['원', 'empty', 'notNumber'],
  ['0', 'zero', 'zero'],
  ['0.0000', 'fraction', 'zero'],
]
for (const [typed, won, grams] of TYPED) {
  test(`${JSON.stringify(typed)}: won ${won}, grams ${grams}`, () => {
    const [asWon, asGrams] = (['won', 'grams'] as const).map((unit) => {
      const read = readAmount(typed, unit)
      return 'amount' in read ? read.amount : read.wrong
    })
    assert.deepEqual([asWon, asGrams], [won, grams])
  })
}

// What stood there, what the edit made of it, and what is shown then.
const EDITS: [before: string, next: string, shown: string][] = [
  ['1,000', '1,0000', '10,000'],
  ['1,000', '1,00', '100'],
  ['10,000', '0,000', '0,000'],
  ['12', '12３', '123'],
  ['', '50,000원', '50,000'],
  ['', '1,000,000', '1,000,000'],
  ['1', '1,', '1,'],
  ['1,', '1,5', '1,5'],
  ['1,5', '1,50', '1,50'],
  ['1,50', '1,500', '1,500'],
  ['1,500', '1,5000', '15,000'],
  ['12', '12.', '12.'],
  ['12.', '12.5', '12.5'],
  ['1,234', '1,234.', '1,234.'],
  ['1e', '1e9', '1e9'],
  ['', '-1', '-1'],
]
for (const [before, next, shown] of EDITS) {
  test(`${before} edited to ${next} shows ${shown}`, () => {
    assert.equal(showEdit(next, before, 'won'), shown)
  })
}

test('pasted, an amount is read as the same; typed key by key, it has the digits that were typed or is refused', () => {
  for (const [typed] of TYPED) {
    for (const unit of ['won', 'grams'] as const) {
      assert.deepEqual(readAmount(showEdit(typed, '', unit), unit), readAmount(typed, unit), typed)
      let shown = ''
      for (const character of typed) shown = showEdit(shown + character, shown, unit)
      const read = readAmount(shown, unit)
      if (!('amount' in read)) continue
      const digits = halfWidth(typed)
        .replace(/[^\d.]/g, '')
        .replace(/^0+(?=\d)/, '')
      assert.equal(Number(read.amount), Number(digits), `${typed} typed, ${shown} shown`)
      assert.match(halfWidth(typed), /^[₩\s]*[\d,.]+\s*\D*$/, 'nothing in between fell away')
    }
  }
})
