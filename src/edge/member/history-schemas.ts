import Type from 'typebox'
import { choice, object } from '#edge/http/named-schemas.ts'
import { uuid } from '#edge/http/uuid.ts'
import { grams, metal, moment, percent, side, signedWon, WITHDRAWAL_STATUS, won } from './schema-parts.ts'

// What moved, by movement, by act and on statements.

const ASSET = choice('AssetKind', ['points', 'deposit', 'gold', 'silver'])
const KIND = choice('MovementKind', [
  'redeem',
  'buy',
  'sell',
  'withdraw',
  'withdraw_back',
  'join',
  'waive',
  'grant',
])
const CHANGE = Type.String({
  description: 'Signed: won, or grams with four places.',
  examples: ['-10000', '+0.0500'],
})
const Movement = object('Movement', {
  id: Type.String(),
  at: moment,
  kind: KIND,
  asset: ASSET,
  change: CHANGE,
  balance: Type.String({ description: 'Of that asset, after it.', examples: ['40000'] }),
  partner: Type.Union([Type.String(), Type.Null()], { description: 'Of a registered card: who gave it.' }),
  pricePerGram: Type.Union([Type.Integer(), Type.Null()], { description: 'Of an order.' }),
  orderId: Type.Union([Type.String(), Type.Null()]),
})

export const HistoryQuery = Type.Object({
  asset: Type.Optional(ASSET),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
})
export const HistoryAnswer = object('History', {
  movements: Type.Array(Movement, { description: 'Newest first.' }),
  next: Type.Union([Type.String(), Type.Null()], { description: 'The cursor of the next page.' }),
})

const ORDER_LINES = {
  side,
  metal,
  grams,
  reference: Type.Integer({ description: 'Won per gram, as the feed had it.', minimum: 1 }),
  price: Type.Integer({ description: 'Won per gram, the spread included.', minimum: 1 }),
  spreadPercent: percent,
  feePercent: percent,
  value: Type.Integer({ description: 'Price × grams, rounded down to the won.', minimum: 0 }),
  rounding: Type.Integer({
    description: 'Bought: 1 where price × grams is no whole won, which is rounded up. Sold: 0.',
    minimum: 0,
    maximum: 1,
  }),
  spreadWon: Type.Integer({ description: 'How much of it is the spread.', minimum: 0 }),
  fee: won,
  total: Type.Integer({
    description: 'Bought: value + rounding + fee, paid. Sold: value + rounding − fee, received.',
    minimum: 0,
  }),
  cost: Type.Integer({
    description: 'What the metal cost, fee included; of a sale its share by moving average, rounded up.',
    minimum: 0,
  }),
  gain: Type.Union([signedWon, Type.Null()], { description: 'Of a sale: total − cost.' }),
}
const OrderLines = object('OrderLines', ORDER_LINES)
const Act = object('Act', {
  id: Type.String(),
  at: moment,
  kind: KIND,
  reference: uuid({ description: 'To quote to support: the order, the withdrawal, the card.' }),
  partner: Type.Union([Type.String(), Type.Null()], { description: 'Of a registered card: who gave it.' }),
  withdrawal: Type.Union([WITHDRAWAL_STATUS, Type.Null()], { description: 'Its status now.' }),
  order: Type.Union([OrderLines, Type.Null()]),
  movements: Type.Array(
    object('AssetChange', {
      asset: ASSET,
      change: CHANGE,
      balance: Type.Union([Type.String(), Type.Null()], {
        description: 'Of that asset, after it; null in a list of one asset, for the others.',
      }),
    }),
  ),
})
export const ActsAnswer = object('Acts', {
  acts: Type.Array(Act, { description: 'Newest first, each with all it moved.' }),
  next: Type.Union([Type.String(), Type.Null()], { description: 'The cursor of the next page.' }),
})

export const StatementQuery = Type.Object({
  from: Type.String({ description: 'A Seoul day, YYYY-MM-DD.', format: 'date' }),
  to: Type.String({ description: 'Included; at most 366 days.', format: 'date' }),
  lang: Type.Optional(Type.Enum(['ko', 'en'], { type: 'string', description: 'Of the CSV.' })),
})
const Balances = object('Balances', { points: won, deposit: won, gold: grams, silver: grams })
export const StatementAnswer = object('Statement', {
  from: Type.String(),
  to: Type.String(),
  madeAt: moment,
  name: Type.String({ description: 'Masked.' }),
  opening: Balances,
  closing: Balances,
  movements: Type.Array(Movement, { description: 'Oldest first.' }),
  orders: Type.Array(object('StatementOrder', { orderId: uuid(), at: moment, ...ORDER_LINES }), {
    description: 'Oldest first: how the total of each came about.',
  }),
  sums: object(
    'StatementSums',
    { fee: won, spreadWon: won, gain: signedWon },
    { description: 'Of all orders of the period. `gain`: realised by sales.' },
  ),
})

export const IssueBody = object('StatementRequest', {
  requestId: uuid({ description: 'Yours: the same again is the same statement.' }),
  from: Type.String({ description: 'A Seoul day, YYYY-MM-DD.', format: 'date' }),
  to: Type.String({ description: 'Included; at most 366 days.', format: 'date' }),
  fullName: Type.Boolean({ description: 'Print the whole name instead of the masked one.' }),
})
const number = Type.String({
  description: 'Twelve digits.',
  pattern: '^[0-9]{12}$',
  examples: ['123456789012'],
})
export const IssuedParams = Type.Object({ number })
const nullable = Type.Union([Type.String(), Type.Null()])
const IssuerIn = object('IssuerDetails', {
  name: Type.String(),
  businessNumber: nullable,
  address: nullable,
  contact: Type.String(),
})
const Issuer = object('Issuer', { ko: IssuerIn, en: IssuerIn }, { description: 'Who ran the service then.' })
export const IssuedAnswer = object('IssuedStatement', {
  number,
  code: Type.String({ description: 'The check code: 20 characters.', pattern: '^[0-9A-Z]{20}$' }),
  issuedAt: moment,
  isFullName: Type.Boolean(),
  ...StatementAnswer.properties,
  name: Type.String({ description: 'As printed: whole or masked.' }),
  issuer: Issuer,
})
export const CheckBody = object('StatementCheck', {
  number: Type.String({ description: 'Blanks and hyphens are ignored.', minLength: 1, maxLength: 40 }),
  code: Type.String({ description: 'Blanks and hyphens are ignored.', minLength: 1, maxLength: 60 }),
})
export const CheckAnswer = object('CheckedStatement', {
  number,
  issuedAt: moment,
  from: Type.String(),
  to: Type.String(),
  name: Type.String({ description: 'Masked.' }),
  closing: Balances,
})
