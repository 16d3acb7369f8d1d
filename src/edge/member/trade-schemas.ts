import Type from 'typebox'
import { uuid } from '#edge/http/uuid.ts'
import { BANK_CODES } from '#modules/withdrawals/banks.ts'
import { grams, metal, moment, percent, side, signedWon, WITHDRAWAL_STATUS, won } from './schema-parts.ts'

// Prices, orders, assets and withdrawals, as the pages see them. Won are integers; grams are decimal strings
// with four places.

const TRADING = Type.Enum(['open', 'stale', 'stopped'], {
  type: 'string',
  description:
    '`stale`: the price feed is late, so nothing is traded. `stopped`: the operator has stopped trading.',
})

const MetalPrice = Type.Object({
  reference: Type.Integer({ description: 'Won per gram, as the feed has it.', minimum: 1 }),
  ask: Type.Integer({ description: 'Won per gram when a member buys.', minimum: 1 }),
  bid: Type.Integer({ description: 'Won per gram when a member sells.', minimum: 1 }),
  at: moment,
  change: Type.Object({ won: signedWon, percent }, { description: 'Against 24 hours before.' }),
})

export const PricesAnswer = Type.Object(
  {
    trading: TRADING,
    asOf: moment,
    gold: MetalPrice,
    silver: MetalPrice,
    spreadPercent: Type.Object({ gold: percent, silver: percent }),
    feePercent: percent,
  },
  { $id: 'Prices' },
)

export const MetalParams = Type.Object({ metal })
export const PeriodQuery = Type.Object({ period: Type.Enum(['1d', '1w', '1m', '1y'], { type: 'string' }) })
export const PriceHistoryAnswer = Type.Object(
  {
    metal,
    period: Type.String(),
    points: Type.Array(Type.Object({ at: moment, wonPerGram: Type.Integer({ minimum: 1 }) }), {
      description: 'Oldest first, evenly spaced. Moments before the first known price are left out.',
    }),
  },
  { $id: 'PriceHistory' },
)

export const QuoteBody = Type.Object({
  side,
  metal,
  won: Type.Optional(
    Type.Integer({
      description: 'To buy: spend at most this. To sell: receive at least this. Either this or `grams`.',
      minimum: 1,
      maximum: 1_000_000_000,
    }),
  ),
  grams: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,9}(\\.[0-9]{1,4})?$',
      examples: ['0.5'],
      description: 'At least 0.0001.',
    }),
  ),
})

const QUOTED = {
  side,
  metal,
  grams,
  reference: Type.Integer({ description: 'Won per gram, as the feed had it.', minimum: 1 }),
  price: Type.Integer({ description: 'Won per gram, the spread included.', minimum: 1 }),
  spreadPercent: percent,
  feePercent: percent,
  metalWon: Type.Integer({ description: 'What the metal costs or brings, before the fee.', minimum: 0 }),
  spreadWon: Type.Integer({ description: 'How much of it is the spread.', minimum: 0 }),
  fee: won,
  total: Type.Integer({ description: 'What is paid, or received.', minimum: 0 }),
  fromPoints: won,
  fromDeposit: won,
}

export const QuoteAnswer = Type.Object(
  {
    quoteId: uuid(),
    ...QUOTED,
    rounding: Type.Integer({
      description: 'Of the won asked for: to buy, what is not spent; to sell, what is received beyond it.',
      minimum: 0,
    }),
    lacking: Type.Integer({
      description:
        'Won that points and deposit lack for it, or 0; for a sale 0 or, in `lackingGrams`, the metal.',
      minimum: 0,
    }),
    lackingGrams: grams,
    expiresAt: moment,
    expiresInSeconds: Type.Number({ minimum: 0 }),
  },
  { $id: 'Quote' },
)

export const OrderBody = Type.Object({ quoteId: uuid() })
export const OrderAnswer = Type.Object({ orderId: uuid(), placedAt: moment, ...QUOTED }, { $id: 'Order' })

const HeldMetal = Type.Object({
  grams,
  pricePerGram: Type.Integer({ minimum: 1 }),
  value: won,
  cost: Type.Integer({ description: 'What was paid for what is held, by moving average.', minimum: 0 }),
  gain: Type.Object({ won: signedWon, percent: Type.Union([percent, Type.Null()]) }),
})

export const AssetsAnswer = Type.Object(
  {
    asOf: moment,
    totalValue: won,
    points: won,
    deposit: won,
    gold: HeldMetal,
    silver: HeldMetal,
    gain: Type.Object({ won: signedWon, percent: Type.Union([percent, Type.Null()]) }),
  },
  { $id: 'Assets' },
)

const Withdrawal = Type.Object(
  {
    id: uuid(),
    amount: won,
    bank: Type.String({ description: 'Its three-digit code.' }),
    account: Type.String({ description: 'Masked.' }),
    status: WITHDRAWAL_STATUS,
    requestedAt: moment,
    waitsUntil: Type.Union([moment, Type.Null()], {
      description: 'While it waits: it is not paid before this.',
    }),
    settledAt: Type.Union([moment, Type.Null()]),
  },
  { $id: 'Withdrawal' },
)
export const WithdrawalAnswer = Withdrawal
export const WithdrawalsAnswer = Type.Object({ withdrawals: Type.Array(Withdrawal) }, { $id: 'Withdrawals' })
export const WithdrawalBody = Type.Object({
  requestId: uuid({ description: 'Yours: the same again is the same withdrawal.' }),
  amount: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
  bank: Type.String({
    pattern: `^(?:${BANK_CODES.join('|')})$`,
    description: "A bank's code at Korea's clearing institute.",
    examples: ['088'],
  }),
  account: Type.String({ description: 'Digits; hyphens are ignored.', pattern: '^[0-9-]{6,24}$' }),
})
export const StopBody = Type.Object({
  code: Type.String({ description: 'From the link in the notice.', minLength: 1, maxLength: 100 }),
})
export const StopAnswer = Type.Object(
  {
    state: Type.Enum(['open', 'on_its_way', 'stopped', 'paid', 'ended'], {
      type: 'string',
      description:
        'Of this withdrawal. `on_its_way`: approved, the bank may have been told. `ended`: taken back or refused.',
    }),
    canStop: Type.Boolean({
      description:
        'A stop would stop this one and others, and make the account safe. For seven days also if this one has ended.',
    }),
    others: Type.Integer({
      description: "The member's other withdrawals that are still to be paid.",
      minimum: 0,
    }),
    stopAsked: Type.Boolean(),
    withdrawal: Withdrawal,
    contact: Type.String({ description: 'Whom to ask.' }),
  },
  { $id: 'Stop' },
)
export const WithdrawalParams = Type.Object({ withdrawalId: uuid() })
