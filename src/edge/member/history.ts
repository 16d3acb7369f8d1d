import { refusals } from '#edge/http/error-answers.ts'
import { badField } from '#edge/http/errors.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type { ReadActs, ReadHistory } from '#flows/holdings/read-history.ts'
import type { Access } from './access.ts'
import { ASSET_OF } from './metals.ts'
import { actJson, movementJson } from './movement-json.ts'
import { SIGNED_IN } from './refusal-lists.ts'
import { DEAL, moment, signedWon, WITHDRAWAL_STATUS, won } from './schema-parts.ts'

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
  'adjust_up',
  'adjust_down',
  'refund',
])

const CHANGE = Type.String({
  description: 'Signed: won, or grams with four places.',
  examples: ['-10000', '+0.0500'],
})

export const Movement = object('Movement', {
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

const HistoryQuery = Type.Object({
  asset: Type.Optional(ASSET),
  // Sealed for its holder. It carries the balances from which the next page counts on, so a client must not be able
  // to make one up.
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
})

const HistoryAnswer = object(
  'History',
  {
    movements: Type.Array(Movement, { description: 'Newest first.' }),
    next: Type.Union([Type.String(), Type.Null()], { description: 'The cursor of the next page.' }),
  },
  { description: 'A page of movements, newest first.' },
)

export const ORDER_LINES = {
  ...DEAL,
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

const ActsAnswer = object(
  'Acts',
  {
    acts: Type.Array(Act, { description: 'Newest first, each with all it moved.' }),
    next: Type.Union([Type.String(), Type.Null()], { description: 'The cursor of the next page.' }),
  },
  { description: 'A page of acts, newest first.' },
)

const ROUTES = {
  getHistory: {
    url: '/history',
    schema: {
      operationId: 'getHistory',
      summary: 'Every movement, newest first',
      tags: ['Assets'],
      querystring: HistoryQuery,
      response: { 200: HistoryAnswer, ...refusals(...SIGNED_IN) },
    },
  },
  getActs: {
    url: '/history/acts',
    schema: {
      operationId: 'getActs',
      summary: 'Every act, newest first',
      description: 'An order, a withdrawal or a registered card is one act, whatever it moved.',
      tags: ['Assets'],
      querystring: HistoryQuery,
      response: { 200: ActsAnswer, ...refusals(...SIGNED_IN) },
    },
  },
} as const

interface Deps {
  readHistory: ReadHistory
  readActs: ReadActs
}

// By movement and by act. The former stays for pages of an earlier release.
export function registerHistory(scope: Server, deps: Deps, access: Access): void {
  const { getHistory, getActs } = ROUTES
  scope.get(getHistory.url, { schema: getHistory.schema }, async (request) => {
    const { holderId } = await access.visitor(request)
    const { asset, cursor } = request.query
    // The holder comes from the session, never from the query. So another holder's cursor opens nothing.
    const page = await deps.readHistory(holderId, { asset: asset && ASSET_OF[asset], cursor })
    if (page === 'bad_cursor') throw badField(request, 'cursor', 'must be one that we gave')
    return { movements: page.movements.map(movementJson), next: page.next }
  })

  scope.get(getActs.url, { schema: getActs.schema }, async (request) => {
    const { holderId } = await access.visitor(request)
    const { asset, cursor } = request.query
    const page = await deps.readActs(holderId, { asset: asset && ASSET_OF[asset], cursor })
    if (page === 'bad_cursor') throw badField(request, 'cursor', 'must be one that we gave')
    return { acts: page.acts.map(actJson), next: page.next }
  })
}
