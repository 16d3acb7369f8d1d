import Type from 'typebox'
import { choice, object } from '#edge/http/named-schemas.ts'
import { uuid } from '#edge/http/uuid.ts'
import { BANK_CODES } from '#modules/withdrawals/banks.ts'
import { grams, metal, moment, percent, side, signedWon, WITHDRAWAL_STATUS, won } from './schema-parts.ts'

// Prices, orders, assets and withdrawals, as the pages see them. Won are integers; grams are decimal strings
// with four places.

const TRADING = choice('TradingState', ['open', 'stale', 'stopped'], {
  description:
    '`stale`: the price feed is late, so nothing is traded. `stopped`: the operator has stopped trading.',
})

const MetalPrice = object('MetalPrice', {
  reference: Type.Integer({ description: 'Won per gram, as the feed has it.', minimum: 1 }),
  ask: Type.Integer({ description: 'Won per gram when a member buys.', minimum: 1 }),
  bid: Type.Integer({ description: 'Won per gram when a member sells.', minimum: 1 }),
  at: moment,
  change: object('PriceChange', { won: signedWon, percent }, { description: 'Against 24 hours before.' }),
})

export const PricesAnswer = object('Prices', {
  trading: TRADING,
  asOf: moment,
  gold: MetalPrice,
  silver: MetalPrice,
  spreadPercent: object('Spreads', { gold: percent, silver: percent }),
  feePercent: percent,
})

export const MetalParams = Type.Object({ metal })
export const PeriodQuery = Type.Object({ period: Type.Enum(['1d', '1w', '1m', '1y'], { type: 'string' }) })
export const PriceHistoryAnswer = object('PriceHistory', {
  metal,
  period: Type.String(),
  points: Type.Array(object('PricePoint', { at: moment, wonPerGram: Type.Integer({ minimum: 1 }) }), {
    description: 'Oldest first, evenly spaced. Moments before the first known price are left out.',
  }),
})

export const QuoteBody = object('QuoteRequest', {
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

export const QuoteAnswer = object('Quote', {
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
})

export const OrderBody = object('OrderRequest', { quoteId: uuid() })
export const OrderAnswer = object('Order', { orderId: uuid(), placedAt: moment, ...QUOTED })

const Gain = object('Gain', { won: signedWon, percent: Type.Union([percent, Type.Null()]) })
const HeldMetal = object('HeldMetal', {
  grams,
  pricePerGram: Type.Integer({ minimum: 1 }),
  value: won,
  cost: Type.Integer({ description: 'What was paid for what is held, by moving average.', minimum: 0 }),
  gain: Gain,
})

export const AssetsAnswer = object('Assets', {
  asOf: moment,
  totalValue: won,
  points: won,
  deposit: won,
  gold: HeldMetal,
  silver: HeldMetal,
  gain: Gain,
})

const Withdrawal = object('Withdrawal', {
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
})
export const WithdrawalAnswer = Withdrawal
export const WithdrawalsAnswer = object('Withdrawals', { withdrawals: Type.Array(Withdrawal) })
export const WithdrawalBody = object('WithdrawalRequest', {
  requestId: uuid({ description: 'Yours: the same again is the same withdrawal.' }),
  amount: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
  bank: Type.String({
    pattern: `^(?:${BANK_CODES.join('|')})$`,
    description: "A bank's code at Korea's clearing institute.",
    examples: ['088'],
  }),
  account: Type.String({ description: 'Digits; hyphens are ignored.', pattern: '^[0-9-]{6,24}$' }),
})
export const StopBody = object('StopCode', {
  code: Type.String({ description: 'From the link in the notice.', minLength: 1, maxLength: 100 }),
})
export const StopAnswer = object('Stop', {
  state: choice('StopState', ['open', 'on_its_way', 'stopped', 'paid', 'ended'], {
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
})
export const WithdrawalParams = Type.Object({ withdrawalId: uuid() })
