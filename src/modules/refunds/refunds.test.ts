import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decideExtension, refundableUntil, refusePolicy, refuseRefund, workOutRefund } from './rules.ts'
import type { RefundPolicy } from './types.ts'

const KR: RefundPolicy = {
  version: 'kr-2025-09',
  effectiveFrom: '2000-01-01',
  cancelDays: 7,
  refundYears: 5,
  smallUpTo: 50_000n,
  smallPercent: 90,
  largePercent: 95,
  pointsPercent: 100,
  extensionMonths: 3,
  noticeDays: [30, 14, 7, 1],
}

// face, as, percent, deduction, total
for (const [face, payout, ...expected] of [
  [1n, 'money', 90, 0n, 1n],
  [9n, 'money', 90, 0n, 9n],
  [10n, 'money', 90, 1n, 9n],
  [49_999n, 'money', 90, 4_999n, 45_000n],
  [50_000n, 'money', 90, 5_000n, 45_000n],
  [50_001n, 'money', 95, 2_500n, 47_501n],
  [10_000_000n, 'money', 95, 500_000n, 9_500_000n],
  [50_001n, 'points', 100, 0n, 50_001n],
] as const) {
  test(`a refund of ${face} as ${payout}`, () => {
    const { percent, deduction, total } = workOutRefund(face, payout, KR)
    assert.deepEqual([percent, deduction, total], expected)
  })
}

test('any amount: the parts add up, and the member never gets less than the percentage', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 1_000_000_000_000n }),
      fc.constantFrom('points', 'money'),
      fc.integer({ min: 1, max: 100 }),
      fc.bigInt({ min: 0n, max: 1_000_000n }),
      (face, payout, smallPercent, smallUpTo) => {
        const { percent, deduction, total } = workOutRefund(face, payout, { ...KR, smallPercent, smallUpTo })
        assert.equal(percent, payout === 'points' ? 100 : face <= smallUpTo ? smallPercent : 95)
        assert.equal(total + deduction, face)
        assert.ok(total >= 1n && total * 100n >= face * BigInt(percent))
        assert.ok((total - 1n) * 100n < face * BigInt(percent), 'by less than a won')
      },
    ),
  )
})

// The model counts days one by one; the rule adds calendar units.
const DAY = fc
  .integer({ min: 0, max: 40_000 })
  .map((days) => Temporal.PlainDate.from('2020-01-01').add({ days }))

test('any days: refundable from the day after the last until the same day years later', () => {
  fc.assert(
    fc.property(
      DAY,
      fc.integer({ min: 365, max: 1_500 }),
      fc.integer({ min: 0, max: 2_600 }),
      (issued, valid, after) => {
        const card = {
          status: 'issued',
          issuedOn: `${issued}`,
          expiresOn: `${issued.add({ days: valid })}`,
        } as const
        const today = issued.add({ days: after })
        const lastMonthDay = new Temporal.PlainYearMonth(issued.year + 5, issued.month).daysInMonth
        const last = Temporal.PlainDate.from({
          year: issued.year + 5,
          month: issued.month,
          day: Math.min(issued.day, lastMonthDay),
        })
        assert.equal(refundableUntil(card, KR), `${last}`)
        const expected =
          after <= valid
            ? 'still_valid'
            : Temporal.PlainDate.compare(today, last) > 0
              ? 'refund_too_late'
              : undefined
        for (const status of ['issued', 'expired'] as const) {
          if (status === 'expired' && after <= valid) continue
          assert.equal(
            refuseRefund({ ...card, status }, { isRefunded: false, policy: KR, today: `${today}` }),
            expected,
          )
        }
      },
    ),
  )
})

const card = { status: 'expired', issuedOn: '2024-02-29', expiresOn: '2025-02-28' } as const
for (const [what, facts, changes, expected] of [
  ['no card', undefined, {}, 'absent'],
  ['used', { ...card, status: 'used' }, {}, 'used'],
  ['voided', { ...card, status: 'voided' }, {}, 'voided'],
  ['its last day', { ...card, status: 'issued' }, { today: '2025-02-28' }, 'still_valid'],
  [
    'the day after, before the worker came',
    { ...card, status: 'issued' },
    { today: '2025-03-01' },
    undefined,
  ],
  ['refunded, also long ago', card, { isRefunded: true, today: '2040-01-01' }, 'refunded'],
  ['five years to the day, of a leap day', card, { today: '2029-02-28' }, undefined],
  ['a day later', card, { today: '2029-03-01' }, 'refund_too_late'],
] as const) {
  test(`refund: ${what}`, () => {
    const circumstances = { isRefunded: false, policy: KR, today: '2026-01-01', ...changes }
    assert.equal(refuseRefund(facts, circumstances), expected)
  })
}

const open = { status: 'issued', issuedOn: '2025-11-30', expiresOn: '2026-11-30' } as const
for (const [what, facts, changes, expected] of [
  ['to the end of February', open, {}, '2027-02-28'],
  ['on its last day', open, { today: '2026-11-30' }, '2027-02-28'],
  ['a day too late', open, { today: '2026-12-01' }, 'expired'],
  ['twice', open, { isExtended: true }, 'extended'],
  ['of a policy without', open, { policy: { ...KR, extensionMonths: 0 } }, 'not_extendable'],
  ['of a used card', { ...open, status: 'used' }, {}, 'used'],
  ['of nothing', undefined, {}, 'absent'],
] as const) {
  test(`extension: ${what}`, () => {
    const decision = decideExtension(facts, {
      isExtended: false,
      policy: KR,
      today: '2026-01-01',
      ...changes,
    })
    assert.equal(decision.kind === 'refused' ? decision.reason : decision.toDay, expected)
  })
}

const LATER = { ...KR, version: 'kr-2027', effectiveFrom: '2027-06-01' }
const NEW = { ...KR, version: 'kr-2026', effectiveFrom: '2026-12-01', smallPercent: 92 }
for (const [what, policy, until, others, expected] of [
  ['the newest', NEW, undefined, [KR], undefined],
  ['a name twice', { ...NEW, version: 'kr-2025-09' }, undefined, [KR], 'policy_exists'],
  ['a first day twice', { ...NEW, effectiveFrom: '2027-06-01' }, undefined, [LATER, KR], 'policy_exists'],
  ['for today', { ...NEW, effectiveFrom: '2026-11-16' }, undefined, [KR], 'policy_begins_too_soon'],
  ['over a later one', NEW, undefined, [LATER, KR], 'policy_overlap'],
  ['into a later one', NEW, '2027-06-01', [LATER, KR], 'policy_overlap'],
  ['up to a later one', NEW, '2027-05-31', [LATER, KR], undefined],
  ['with a gap before a later one', NEW, '2027-05-30', [LATER, KR], 'policy_gap'],
  ['with an end and nothing after it', NEW, '2027-05-31', [KR], 'policy_gap'],
  ['that ends before it begins', NEW, '2026-11-30', [LATER, KR], 'policy_invalid'],
  ['of no percent', { ...NEW, largePercent: 0 }, undefined, [KR], 'policy_invalid'],
  ['with two reminders', { ...NEW, noticeDays: [30, 7] }, undefined, [KR], 'policy_invalid'],
  ['with a reminder twice', { ...NEW, noticeDays: [30, 7, 7] }, undefined, [KR], 'policy_invalid'],
] as const) {
  test(`policy: ${what}`, () => {
    const wanted = { ...policy, noticeDays: [...policy.noticeDays] }
    assert.equal(refusePolicy(wanted, { until, today: '2026-11-16', others }), expected)
  })
}
