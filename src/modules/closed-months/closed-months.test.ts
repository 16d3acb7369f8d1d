import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeMonth, placeMonth } from './rules.ts'
import type { MonthFacts } from './types.ts'

const NOTHING_OPEN: MonthFacts = {
  openDays: [],
  unevenAssets: [],
  verification: 'good',
  unbilled: [],
  statements: [{ number: 'a-2026-11', isSent: true, open: 0n }],
  unassigned: [],
  waitingRefunds: 0,
  waitingRequests: 0,
  withdrawals: { count: 0, won: 0n },
  gaps: [],
  corrections: { count: 0n, days: [] },
}

const openOf = (facts: Partial<MonthFacts>) =>
  judgeMonth({ ...NOTHING_OPEN, ...facts })
    .filter(({ state }) => state !== 'done')
    .map(({ kind, state, count, won }) => [kind, state, count, won])

test('what would make a closed month wrong blocks it; what is booked later only warns', () => {
  const cases: [facts: Partial<MonthFacts>, expected: ReturnType<typeof openOf>][] = [
    [{}, []],
    [{ openDays: ['2026-11-30'] }, [['days_closed', 'blocks', 1, null]]],
    [{ unevenAssets: ['XAU', 'KRW'] }, [['balances_even', 'blocks', 2, null]]],
    [{ verification: 'broken' }, [['books_verified', 'blocks', 1, null]]],
    [{ verification: 'behind' }, [['books_verified', 'blocks', 1, null]]],
    [{ unbilled: [{ partner: 'a', isLate: false }] }, [['statements_closed', 'blocks', 1, null]]],
    [{ unbilled: [{ partner: 'a', isLate: true }] }, [['partners_billed', 'warns', 1, null]]],
    [
      { statements: [{ number: 'a-2026-11', isSent: false, open: 7n }] },
      [
        ['statements_sent', 'warns', 1, null],
        ['statements_paid', 'warns', 1, 7n],
      ],
    ],
    [{ unassigned: [{ partner: 'a', won: 5n }] }, [['payments_assigned', 'warns', 1, 5n]]],
    [{ waitingRefunds: 2 }, [['refunds_decided', 'warns', 2, null]]],
    [{ waitingRequests: 3 }, [['requests_decided', 'warns', 3, null]]],
    [{ withdrawals: { count: 1, won: 9n } }, [['withdrawals_paid', 'warns', 1, 9n]]],
    [{ gaps: [{ metal: 'XAU', won: 4n }] }, [['metal_covered', 'warns', 1, 4n]]],
    [{ gaps: [{ metal: 'XAU', won: null }] }, [['metal_covered', 'warns', 1, null]]],
    [{ corrections: { count: 6n, days: ['2026-12-01'] } }, [['corrections', 'warns', 6, null]]],
  ]
  for (const [facts, expected] of cases) assert.deepEqual(openOf(facts), expected)
})

test('months are closed in order, once they are over', () => {
  const place = (month: string, last: string | null, first: string | null = '2026-09-15') =>
    placeMonth(month, { today: '2026-12-01', first, last })
  assert.deepEqual(place('2026-09', null), { place: 'next', next: '2026-09' })
  assert.deepEqual(place('2026-08', null), { place: 'before_first', next: '2026-09' })
  assert.deepEqual(place('2026-10', null), { place: 'out_of_order', next: '2026-09' })
  assert.deepEqual(place('2026-10', '2026-09'), { place: 'next', next: '2026-10' })
  assert.deepEqual(place('2026-09', '2026-09'), { place: 'closed', next: '2026-10' })
  assert.deepEqual(place('2026-08', '2026-09'), { place: 'before_first', next: '2026-10' })
  assert.deepEqual(place('2026-12', '2026-11'), { place: 'not_over', next: '2026-12' })
  assert.deepEqual(place('2027-01', '2026-11'), { place: 'not_over', next: '2026-12' })
  assert.deepEqual(place('2026-11', null, null), { place: 'before_first', next: '2026-12' })
})
