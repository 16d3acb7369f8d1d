import { wonToJson } from '#base/money.ts'
import { isOrder } from '#flows/holdings/describe-movements.ts'
import type { ToldAct, ToldMovement } from '#flows/holdings/read-history.ts'
import type { Asset } from '#modules/ledger/types.ts'
import { linesOf, type OrderFigures } from '#modules/pricing/order-lines.ts'
import { bpsText, gramsText } from '#modules/pricing/rules.ts'
import { NAME_OF_ASSET, NAME_OF_METAL } from './metals.ts'

// Won as integers, metal in grams.
export function amountText(asset: Asset, amount: bigint): string {
  return asset === 'KRW' || asset === 'KRW_POINT' ? amount.toString() : gramsText(amount)
}

// The sign is always there, so that a page need not know which kinds of movement add and which take.
export function changeText(asset: Asset, change: bigint): string {
  return change < 0n ? `-${amountText(asset, -change)}` : `+${amountText(asset, change)}`
}

// One movement of one asset, with the balance after it.
export function movementJson(movement: ToldMovement) {
  const { kind, asset, groupId } = movement
  return {
    // Not the row's own number, which would show how much the whole service moves.
    id: `${groupId}-${kind}-${NAME_OF_ASSET[asset]}`,
    at: movement.at.toString({ smallestUnit: 'millisecond' }),
    kind,
    asset: NAME_OF_ASSET[asset],
    change: changeText(asset, movement.change),
    balance: amountText(asset, movement.balance),
    partner: movement.partnerName,
    // From the order's own row, never worked out from won and grams: rounding would show another price
    // than was agreed.
    pricePerGram: movement.order && wonToJson(movement.order.price),
    orderId: isOrder(movement) ? groupId : null,
  }
}

// A whole order: the lines that add up to its total.
export function orderJson(order: OrderFigures) {
  const { value, rounding, spread, gain } = linesOf(order)
  return {
    side: order.side,
    metal: NAME_OF_METAL[order.metal],
    grams: gramsText(order.units),
    reference: wonToJson(order.reference),
    price: wonToJson(order.price),
    spreadPercent: bpsText(order.spreadBps),
    feePercent: bpsText(order.feeBps),
    value: wonToJson(value),
    rounding: wonToJson(rounding),
    spreadWon: wonToJson(spread),
    fee: wonToJson(order.fee),
    total: wonToJson(order.total),
    cost: wonToJson(order.cost),
    gain: gain === null ? null : wonToJson(gain),
  }
}

// One act, such as an order, with all the assets that it moved.
export function actJson(act: ToldAct) {
  const { kind, groupId, legs, order } = act
  return {
    id: `${groupId}-${kind}`,
    at: act.at.toString({ smallestUnit: 'millisecond' }),
    kind,
    // The id that support searches by: the order, the withdrawal, the card.
    reference: act.cardId ?? groupId,
    partner: act.partnerName,
    withdrawal: act.withdrawalStatus,
    order: order && orderJson(order),
    movements: legs.map(({ asset, change, balance }) => ({
      asset: NAME_OF_ASSET[asset],
      change: changeText(asset, change),
      balance: balance === null ? null : amountText(asset, balance),
    })),
  }
}
