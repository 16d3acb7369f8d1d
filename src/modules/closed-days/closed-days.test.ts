import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareBalances, DayBook, joinRanges, listDays } from './rules.ts'
import type { Movement } from './types.ts'

const issue = (day: string, firstId: bigint, amount: bigint): Movement => ({
  account: 'outstanding_cards',
  asset: 'KRW_POINT',
  partnerId: 1,
  day,
  kind: 'issue',
  debit: 0n,
  credit: amount,
  debitCount: 0n,
  creditCount: 1n,
  firstId,
})

test('days go over the ends of months and years', () => {
  assert.deepEqual(listDays('2027-12-30', '2028-01-02'), [
    '2027-12-30',
    '2027-12-31',
    '2028-01-01',
    '2028-01-02',
  ])
  assert.deepEqual(listDays('2028-02-28', '2028-03-01').length, 3)
})

test('what came late belongs to its own day in the first open one; what is ahead stays apart and is read again', () => {
  const book = new DayBook('2026-11-02', '2026-11-03')
  book.add([issue('2026-11-03', 7n, 30n), issue('2026-11-01', 5n, 10n)])
  book.add([issue('2026-11-02', 6n, 20n), issue('2026-11-04', 8n, 40n), issue('2026-11-03', 9n, 5n)])
  const { days, lines, balances } = book.close(
    [{ account: 'outstanding_cards', asset: 'KRW_POINT', partnerId: 1, balance: 100n }],
    9n,
  )
  assert.deepEqual(
    lines.map(({ day, belongsTo, credit, creditCount }) => [day, belongsTo, credit, creditCount]),
    [
      ['2026-11-03', '2026-11-03', 35n, 2n],
      ['2026-11-02', '2026-11-01', 10n, 1n],
      ['2026-11-02', '2026-11-02', 20n, 1n],
    ],
  )
  assert.deepEqual(
    balances.map(({ day, opening, closing }) => [day, opening, closing]),
    [
      ['2026-11-02', 100n, 130n],
      ['2026-11-03', 130n, 165n],
    ],
  )
  assert.deepEqual(
    days.map(({ day, readsFrom }) => [day, readsFrom]),
    [
      ['2026-11-02', 7n],
      ['2026-11-03', 8n],
    ],
  )
  assert.deepEqual(book.ahead(), [
    { account: 'outstanding_cards', asset: 'KRW_POINT', partnerId: 1, balance: 40n },
  ])
})

test('the cards of all partners are one account, receivables are each their own', () => {
  const of = (account: string, partnerId: number, balance: bigint) => ({
    account,
    asset: 'KRW_POINT',
    partnerId,
    balance,
  })
  const transfers = [
    of('outstanding_cards', 1, 10n),
    of('outstanding_cards', 2, 20n),
    of('partner_receivable', 1, -10n),
  ]
  const accounts = [of('outstanding_cards', 0, 30n), of('partner_receivable', 1, -11n), of('trading', 0, 0n)]
  assert.deepEqual(compareBalances(transfers, accounts), [
    { account: 'partner_receivable', asset: 'KRW_POINT', partnerId: 1, byTransfers: -10n, byAccounts: -11n },
  ])
})

test('ranges of ids that touch or overlap become one', () => {
  const ranges = [
    { after: 30n, through: null },
    { after: 0n, through: 10n },
    { after: 8n, through: 12n },
    { after: 20n, through: 25n },
    { after: 22n, through: 23n },
    { after: 40n, through: 50n },
  ]
  assert.deepEqual(joinRanges(ranges), [
    { after: 0n, through: 12n },
    { after: 20n, through: 25n },
    { after: 30n, through: null },
  ])
})
