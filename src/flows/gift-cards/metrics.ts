import { addCounter, type Registry } from '#base/metrics.ts'

export type GiftCardMetrics = ReturnType<typeof addGiftCardMetrics>

export function addGiftCardMetrics(registry: Registry) {
  return {
    purchases: addCounter(registry, 'ingot_purchases_total', 'Gift card purchases by outcome', ['outcome']),
    purchasedWon: addCounter(registry, 'ingot_purchased_won_total', 'Won of gift cards issued'),
    redemptions: addCounter(registry, 'ingot_redemptions_total', 'Cards registered, by outcome', ['outcome']),
  }
}
