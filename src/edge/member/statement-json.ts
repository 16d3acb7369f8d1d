import { wonToJson } from '#base/money.ts'
import { instantText } from '#edge/http/instant-text.ts'
import type { Statement, ToldMovement } from '#flows/holdings/read-history.ts'
import type { Balances } from '#modules/ledger/movements.ts'
import { type OrderFigures, sumUp } from '#modules/pricing/order-lines.ts'
import { gramsText } from '#modules/pricing/rules.ts'
import { movementJson, orderJson } from './movement-json.ts'

// The figures of a statement, as they are shown and, when one is issued, kept.
export function statementJson({ madeAt, opening, closing, movements }: Statement) {
  const orders = ordersOf(movements)
  const { fee, spread, gain } = sumUp(orders.map(({ order }) => order))
  return {
    madeAt: instantText(madeAt),
    opening: balancesJson(opening),
    closing: balancesJson(closing),
    movements: movements.map(movementJson),
    orders: orders.map(({ groupId, at, order }) => ({
      orderId: groupId,
      at: at.toString({ smallestUnit: 'millisecond' }),
      ...orderJson(order),
    })),
    sums: { fee: wonToJson(fee), spreadWon: wonToJson(spread), gain: wonToJson(gain) },
  }
}

// Each order once, by what it moved of its metal.
export function ordersOf(movements: readonly ToldMovement[]): (ToldMovement & { order: OrderFigures })[] {
  return movements.filter(
    (movement): movement is ToldMovement & { order: OrderFigures } =>
      movement.order !== null && movement.order.metal === movement.asset,
  )
}

function balancesJson(balances: Balances) {
  return {
    points: wonToJson(balances.KRW_POINT),
    deposit: wonToJson(balances.KRW),
    gold: gramsText(balances.XAU),
    silver: gramsText(balances.XAG),
  }
}
