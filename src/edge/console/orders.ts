import { wonToJson } from '#base/money.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type { OrderPage, ShowOrder } from '#flows/trading/show-order.ts'
import { gramsText } from '#modules/pricing/rules.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import {
  grams,
  maybeMoment,
  maybeText,
  moment,
  orNotFound,
  readerOf,
  readRefusals,
  Timeline,
  Transfer,
  textOf,
  timelineJson,
  transferJson,
  won,
} from './object-parts.ts'

const OrderAnswer = object(
  'OrderPage',
  {
    id: Type.String(),
    quoteId: Type.String(),
    at: moment,
    side: choice('OrderSide', ['buy', 'sell']),
    metal: choice('Metal', ['gold', 'silver']),
    holder: object('OrderHolder', { kind: choice('HolderKind', ['member', 'user']), id: Type.String() }),
    grams,
    reference: Type.Integer({ description: 'Won per gram, as the feed had it.' }),
    price: Type.Integer({ description: 'Won per gram, the spread included.' }),
    priceAt: maybeMoment,
    priceSource: maybeText,
    spreadBps: Type.Integer({ description: 'Hundredths of a percent.' }),
    feeBps: Type.Integer({ description: 'Hundredths of a percent.' }),
    value: Type.Integer({ description: 'Won: price × grams, floored.' }),
    rounding: Type.Integer({ description: 'Won: what a fraction of a won was rounded up by.' }),
    spread: Type.Integer({ description: 'Won: how much of value and rounding is the spread.' }),
    fee: won,
    total: won,
    fromPoints: won,
    fromDeposit: won,
    cost: Type.Integer({ description: 'Won: the cost of the metal by moving average.' }),
    gain: Type.Union([won, Type.Null()], { description: 'Of a sale: proceeds less cost.' }),
    transfers: Type.Array(Transfer),
    timeline: Timeline,
  },
  { description: 'What was quoted and taken, line by line. value + rounding ± fee = total.' },
)

const SCHEMA = {
  operationId: 'order',
  summary: 'One order',
  tags: ['Orders'],
  params: Type.Object({ orderId: uuid() }),
  response: { 200: OrderAnswer, ...readRefusals },
} as const

export interface OrderDeps {
  showOrder: ShowOrder
}

export function registerOrders(scope: Server, deps: OrderDeps, access: ConsoleAccess): void {
  const seen = access.may('orders.read', 'operator')
  scope.get('/orders/:orderId', { ...seen, schema: SCHEMA }, async (request) => {
    const { withWords } = readerOf(staffOf(request), 'members.reveal')
    return orderJson(orNotFound(await deps.showOrder({ id: request.params.orderId, withWords })))
  })
}

const METALS = { XAU: 'gold', XAG: 'silver' } as const

function orderJson({ order, lines, transfers, timeline }: OrderPage) {
  return {
    id: order.id,
    quoteId: order.quoteId,
    at: instantText(order.at),
    side: order.side,
    metal: METALS[order.metal],
    holder: order.holder,
    grams: gramsText(order.units),
    reference: wonToJson(order.reference),
    price: wonToJson(order.price),
    priceAt: textOf(order.priceAt),
    priceSource: order.priceSource,
    spreadBps: order.spreadBps,
    feeBps: order.feeBps,
    value: wonToJson(lines.value),
    rounding: wonToJson(lines.rounding),
    spread: wonToJson(lines.spread),
    fee: wonToJson(order.fee),
    total: wonToJson(order.total),
    fromPoints: wonToJson(order.fromPoints),
    fromDeposit: wonToJson(order.fromDeposit),
    cost: wonToJson(order.cost),
    gain: lines.gain === null ? null : wonToJson(lines.gain),
    transfers: transfers.map(transferJson),
    timeline: timelineJson(timeline),
  }
}
