import type { ChangeKind, ChangeRequest } from './types.ts'

// What a request changes, field by field, for a person to read. The page and the command line put field and unit into words.
export interface Difference {
  field: string
  // Null: there was none.
  before: string | null
  after: string
  unit: DifferenceUnit
}

// A change has a sign, also above zero.
export const DIFFERENCE_UNITS = [
  'won',
  'won_change',
  'points',
  'points_change',
  'won_per_gram',
  'basis_points',
  'seconds',
  'yes_no',
  'text',
] as const
type DifferenceUnit = (typeof DIFFERENCE_UNITS)[number]

type Fields = Pick<ChangeRequest, 'payload' | 'basis'>

const DIFFERENCES: Record<ChangeKind, (request: Fields) => Difference[]> = {
  price: ({ payload, basis }) => [
    {
      field: 'wonPerGram',
      before: textOf(basis.last),
      after: String(payload.wonPerGram),
      unit: 'won_per_gram',
    },
    ...(payload.force ? [{ field: 'force', before: null, after: 'yes', unit: 'yes_no' } as const] : []),
  ],
  terms: (request) =>
    (
      [
        ['spreadBps', 'basis_points'],
        ['feeBps', 'basis_points'],
        ['maxAgeSeconds', 'seconds'],
      ] as const
    )
      .map(([field, unit]) => moved(request, field, unit))
      .filter(({ before, after }) => before !== after),
  credit_limit: (request) => [moved(request, 'creditLimit', 'won')],
  payment: ({ payload, basis }) => [
    {
      field: 'owed',
      before: String(basis.owed),
      after: String(BigInt(basis.owed as string) - BigInt(payload.won as string)),
      unit: 'won',
    },
    { field: 'won', before: null, after: String(payload.won), unit: 'won' },
    { field: 'reference', before: null, after: String(payload.reference), unit: 'text' },
    ...(payload.statements
      ? [{ field: 'statements', before: null, after: String(payload.statements), unit: 'text' } as const]
      : []),
    ...(payload.prepay ? [{ field: 'prepay', before: null, after: 'yes', unit: 'yes_no' } as const] : []),
  ],
  payment_reversal: ({ payload }) => [
    { field: 'won', before: String(payload.won), after: '0', unit: 'won' },
    { field: 'reference', before: null, after: String(payload.reference), unit: 'text' },
  ],
  // The balance of the moment of the request. It may have moved since.
  adjustment: ({ payload, basis }) => {
    const isWon = payload.asset === 'KRW'
    return [
      {
        field: isWon ? 'deposit' : 'points',
        before: String(basis.balance),
        after: String(BigInt(basis.balance as string) + BigInt(payload.amount as string)),
        unit: isWon ? 'won' : 'points',
      },
      {
        field: 'amount',
        before: null,
        after: String(payload.amount),
        unit: isWon ? 'won_change' : 'points_change',
      },
    ]
  },
  card_void: (request) => [
    moved(request, 'status', 'text'),
    { field: 'cardAmount', before: null, after: String(request.payload.amount), unit: 'won' },
  ],
  refund: ({ payload }) => [
    { field: 'cardAmount', before: null, after: String(payload.face), unit: 'won' },
    { field: 'deduction', before: null, after: String(payload.deduction), unit: 'won' },
    { field: 'refunded', before: null, after: String(payload.total), unit: 'won' },
    { field: 'payout', before: null, after: String(payload.payout), unit: 'text' },
    { field: 'refundPolicy', before: null, after: String(payload.policy), unit: 'text' },
    { field: 'member', before: null, after: String(payload.member), unit: 'text' },
  ],
  // The version before it against the new one.
  refund_policy: (request) =>
    Object.keys(request.payload)
      .filter((field) => field !== 'until')
      .map((field) => moved(request, field, field === 'smallUpTo' ? 'won' : 'text'))
      .filter(({ before, after }) => before !== after),
  staff_role: (request) => [moved(request, 'role', 'text')],
  // What the house held at the request.
  bullion: ({ payload, basis }) => {
    const held = BigInt(basis.held as string)
    const units = BigInt(payload.units as string)
    return [
      {
        field: 'heldGrams',
        before: grams(held),
        after: grams(payload.side === 'buy' ? held + units : held - units),
        unit: 'text',
      },
      { field: 'bullionWon', before: null, after: String(payload.won), unit: 'won' },
      { field: 'bullionReference', before: null, after: String(payload.reference), unit: 'text' },
    ]
  },
  // The rate that holds on the day before.
  commission_rate: ({ payload, basis }) => [
    { field: 'commissionBps', before: textOf(basis.bps), after: String(payload.bps), unit: 'basis_points' },
    {
      field: 'commissionBase',
      before: basis.base === undefined ? null : `of_${basis.base}`,
      after: `of_${payload.base}`,
      unit: 'text',
    },
    { field: 'commissionFrom', before: null, after: String(payload.effectiveFrom), unit: 'text' },
  ],
  // Against the institution's last record.
  safeguard: ({ payload, basis }) => [
    { field: 'safeguarded', before: textOf(basis.won), after: String(payload.won), unit: 'won' },
    { field: 'asOf', before: textOf(basis.asOf), after: String(payload.asOf), unit: 'text' },
    { field: 'safeguardMethod', before: null, after: String(payload.method), unit: 'text' },
    { field: 'safeguardReference', before: null, after: String(payload.reference), unit: 'text' },
  ],
}

const grams = (units: bigint) => `${units / 10_000n}.${String(units % 10_000n).padStart(4, '0')} g`

export function differenceOf(request: Pick<ChangeRequest, 'kind'> & Fields): Difference[] {
  return DIFFERENCES[request.kind](request)
}

function moved({ payload, basis }: Fields, field: string, unit: Difference['unit']): Difference {
  return { field, before: textOf(basis[field]), after: String(payload[field]), unit }
}

function textOf(value: string | number | boolean | undefined): string | null {
  return value === undefined ? null : String(value)
}
