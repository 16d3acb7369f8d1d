import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBankFile } from './bank-file.ts'
import { correctionsOf } from './corrections.ts'
import { matchDeposits } from './matching.ts'
import { divide, monthPeriod, refusePeriod, statementNumber, statusOf, supplyOf, vatOf } from './rules.ts'
import type { EarlierStatement } from './types.ts'

// What TextDecoder reads, the other way round.
function toCp949(text: string): Uint8Array {
  const codes = new Map<string, [number, number]>()
  const decoder = new TextDecoder('euc-kr')
  for (let lead = 0x81; lead <= 0xfe; lead += 1)
    for (let trail = 0x41; trail <= 0xfe; trail += 1) {
      const sign = decoder.decode(Uint8Array.of(lead, trail))
      if (sign.length === 1 && sign !== '\ufffd') codes.set(sign, [lead, trail])
    }
  return Uint8Array.from([...text].flatMap((sign) => codes.get(sign) ?? sign.charCodeAt(0)))
}
const utf8 = (text: string) => new TextEncoder().encode(text)
const BANK =
  '국민은행 거래내역\n\n거래일시,적요,출금액,입금액(원),통화\n2026.12.03 10:11,가나(주),0,"153,300",KRW\n2026.12.04,수수료,500,,KRW\n합계,,500,"153,300",\n'

test('a bank file in UTF-8, with a mark, and in CP949 is the same file', () => {
  for (const bytes of [utf8(BANK), utf8(`\ufeff${BANK}`), toCp949(BANK)]) {
    const file = readBankFile(bytes)
    assert.ok(file.kind === 'read')
    assert.deepEqual(file.deposits, [
      {
        line: 4,
        date: '2026-12-03',
        payer: '가나(주)',
        won: 153_300n,
        reference: '2026.12.03 10:11 가나(주) 153300',
      },
    ])
  }
})

test('two deposits alike in everything are two payments', () => {
  const file = readBankFile(utf8('date;deposit;payer\n2026-12-03;5;a\n2026-12-03;5;a\n'))
  assert.ok(file.kind === 'read')
  assert.deepEqual(
    file.deposits.map(({ reference }) => reference),
    ['2026-12-03 a 5', '2026-12-03 a 5 #2'],
  )
})

const HEAD = 'date,deposit,payer,currency\n'
const BAD: [text: string | Uint8Array, reason: string, line: number | null][] = [
  [Uint8Array.of(0xff, 0xff, 0x80), 'encoding_unknown', null],
  ['a,b\n1,2\n', 'columns_missing', null],
  [`${HEAD}2026-12-03,"5,a,\n`, 'quote_open', null],
  [HEAD, 'file_empty', null],
  [`${HEAD}2026-12-03,5,a,USD\n`, 'other_currency', 2],
  [`${HEAD}2026-12-03,$5,a,\n`, 'other_currency', 2],
  [`${HEAD}2026-12-03,5.50,a,\n`, 'amount_unreadable', 2],
  [`${HEAD}2026-12-03,"1,50",a,\n`, 'amount_unreadable', 2],
  [`${HEAD}2026-12-03,-5,a,\n`, 'amount_unreadable', 2],
  [`${HEAD}2026-02-30,5,a,\n`, 'date_unreadable', 2],
  [`${HEAD}2026-12-03,5,a,\ntotal,6,,\n`, 'totals_differ', 3],
]
for (const [text, reason, line] of BAD)
  test(`a bank file is refused: ${reason}`, () => {
    const file = readBankFile(typeof text === 'string' ? utf8(text) : text)
    assert.ok(file.kind === 'refused')
    assert.deepEqual([file.reason, file.line], [reason, line])
  })

// Each would take minutes if its time grew with the square of its length.
const LONG = 1_000_000
for (const [what, text, reason] of [
  ['an open bracket', '('.repeat(LONG), 'columns_missing'],
  ['an amount of blanks', `거래일,입금액,보낸분\n2026-11-01,1${' '.repeat(LONG)}x,가나`, 'amount_unreadable'],
  [
    'totals',
    `거래일,입금액,보낸분\n${'2026-11-01,1,가\n'.repeat(30_000)}${'합계,30000,\n'.repeat(30_000)}합계,1,`,
    'totals_differ',
  ],
] as const)
  test(`a bank file that was made to be slow is refused as fast as any: ${what}`, () => {
    const file = readBankFile(utf8(text))
    assert.ok(file.kind === 'refused')
    assert.equal(file.reason, reason)
  })

test('matches: by payer and amount, by one of the two, or not at all', () => {
  const statements = [
    { number: 'a-1', partner: 'a', open: 100n },
    { number: 'a-2', partner: 'a', open: 50n },
    { number: 'b-1', partner: 'b', open: 70n },
  ]
  const payers = [
    { partner: 'a', names: ['acme', '주식회사 가나'] },
    { partner: 'b', names: ['beta'] },
  ]
  const cases: [payer: string, won: bigint, sure: string, statements: string[]][] = [
    ['(주) 가나', 100n, 'certain', ['a-1']],
    ['ACME Corp', 150n, 'certain', ['a-1', 'a-2']],
    ['acme', 99n, 'likely', ['a-1', 'a-2']],
    ['?', 70n, 'amount', ['b-1']],
    // Two partners are named, so none is.
    ['acme beta', 1n, 'none', []],
  ]
  const deposits = cases.map(([payer, won], line) => ({
    line,
    date: '2026-12-03',
    payer,
    won,
    reference: payer,
  }))
  assert.deepEqual(
    matchDeposits(deposits, statements, payers).map((one) => [one.sure, one.statements]),
    cases.map(([, , sure, numbers]) => [sure, numbers]),
  )
})

test('a payment pays the cards of each statement first, then its commission; the rest is left', () => {
  const one = { id: '1', due: 100n, dueCommission: 11n, paid: 30n, paidCommission: 0n }
  const two = { id: '2', due: 50n, dueCommission: 0n, paid: 0n, paidCommission: 0n }
  assert.deepEqual(divide(90n, [one, two]), {
    parts: [
      { statementId: '1', amount: 81n, commission: 11n },
      { statementId: '2', amount: 9n, commission: 0n },
    ],
    commission: 11n,
    rest: 0n,
  })
  assert.equal(divide(200n, [one, two]).rest, 69n)
})

test('what is charged and given back is floored alike; a month has a short number', () => {
  assert.deepEqual([supplyOf(999n, 150), supplyOf(-999n, 150), vatOf(14n), vatOf(-14n)], [14n, -14n, 1n, -1n])
  assert.equal(statementNumber('acme', monthPeriod('2026-12')), 'acme-2026-12')
  assert.equal(
    statementNumber('acme', { from: '2026-12-05', to: '2027-01-01' }),
    'acme-2026-12-05-2026-12-31',
  )
  const none = { last: undefined, moved: null }
  assert.equal(refusePeriod(monthPeriod('2026-12'), '2026-12-31', none), 'period_not_over')
  assert.equal(refusePeriod(monthPeriod('2026-12'), '2027-01-01', none), undefined)
  const first = (moved: string) => refusePeriod(monthPeriod('2026-12'), '2027-01-01', { ...none, moved })
  assert.deepEqual([first('2026-11-30'), first('2026-12-01')], ['period_leaves_days', undefined])
  // With a statement before it, that one decides where it begins.
  const last = monthPeriod('2026-11')
  assert.equal(refusePeriod(monthPeriod('2026-12'), '2027-01-01', { last, moved: '2026-10-01' }), undefined)
  const paid = { due: 5n, dueCommission: 0n, paid: 5n, sentAt: null }
  assert.deepEqual([statusOf(paid), statusOf({ ...paid, paid: 4n })], ['paid', 'closed'])
})

test('a statement and its corrections cost what the same usage would have cost at once', () => {
  // 3 × 333 won at 1.5%: 14 for all of it, but 4 for each alone. Given back one by one, nothing may be left.
  const lines = [
    { from: '2026-12-01', to: '2026-12-10', bps: 150, base: 'issued' as const, of: 999n, supply: 14n },
    { from: '2026-12-10', to: '2027-01-01', bps: 70, base: 'used' as const, of: 500n, supply: 3n },
  ]
  const first: EarlierStatement = {
    number: 'a-2026-12',
    ...monthPeriod('2026-12'),
    cards: { corrections: [] },
    commission: { lines },
  }
  const earlier = [first]
  const charged = { supply: 17n, vat: vatOf(17n) }
  for (const [i, day] of ['2026-12-03', '2026-12-03', '2026-12-09'].entries()) {
    const sum = { day, amount: 333n, count: 1n }
    const corrections = correctionsOf({ issued: [], used: [], voided: [sum] }, earlier)
    assert.deepEqual(
      corrections.map(({ statement, line }) => [statement, line]),
      [['a-2026-12', '2026-12-01']],
    )
    charged.supply += corrections[0]!.supply
    charged.vat += corrections[0]!.vat!
    const supply = supplyOf(999n - 333n * BigInt(i + 1), 150) + 3n
    assert.deepEqual(charged, { supply, vat: vatOf(supply) })
    const month = monthPeriod(`2027-0${i + 1}`)
    earlier.push({ number: `a-${i}`, ...month, cards: { corrections }, commission: { lines: [] } })
  }
  // A use of a day whose rate is on uses; one of a month without a statement, which was never charged.
  const used = ['2026-12-20', '2026-11-30'].map((day) => ({ day, amount: 100_000n, count: 1n }))
  assert.deepEqual(
    correctionsOf({ issued: [], used, voided: [] }, earlier).map(({ statement, supply }) => [
      statement,
      supply,
    ]),
    [
      ['a-2026-12', 700n],
      [null, 0n],
    ],
  )
})
