import { wonToJson } from '#base/money.ts'
import { isOrder, type ToldMovement } from '#flows/read-history.ts'
import type { Asset } from '#modules/ledger/types.ts'
import { gramsText } from '#modules/pricing/rules.ts'
import { NAME_OF_ASSET } from './metals.ts'

// Won as they are, metal in grams.
export function amountText(asset: Asset, amount: bigint): string {
  return asset === 'KRW' || asset === 'KRW_POINT' ? amount.toString() : gramsText(amount)
}

export function changeText(asset: Asset, change: bigint): string {
  return change < 0n ? `-${amountText(asset, -change)}` : `+${amountText(asset, change)}`
}

export function movementJson(movement: ToldMovement) {
  const { kind, asset, groupId } = movement
  return {
    // Not the row's own number, which tells how much the whole service moves.
    id: `${groupId}-${kind}-${NAME_OF_ASSET[asset]}`,
    at: movement.at.toString({ smallestUnit: 'millisecond' }),
    kind,
    asset: NAME_OF_ASSET[asset],
    change: changeText(asset, movement.change),
    balance: amountText(asset, movement.balance),
    partner: movement.partnerName,
    pricePerGram: movement.pricePerGram === null ? null : wonToJson(movement.pricePerGram),
    orderId: isOrder(movement) ? groupId : null,
  }
}
