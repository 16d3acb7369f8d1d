import type { IssuedCard, PurchaseOutcome } from './types.ts'

// The reference model of the SQL function write_purchases: what one partner's purchases in a batch come to,
// in order of arrival. A property test holds the two together.
export interface PurchaseFacts {
  active: boolean
  amountMin: bigint
  amountMax: bigint
  // How much more the partner may owe.
  credit: bigint
  kept: ReadonlyMap<string, { request: string; card: IssuedCard }>
}

export interface PurchaseWish {
  amount: bigint
  card: IssuedCard
  idempotency: { key: string; request: string } | null
}

export function decidePurchases(facts: PurchaseFacts, wishes: readonly PurchaseWish[]): PurchaseOutcome[] {
  const kept = new Map(facts.kept)
  let credit = facts.credit
  return wishes.map((wish) => {
    if (!facts.active) return { kind: 'refused', reason: 'partner_suspended' }
    const before = wish.idempotency && kept.get(wish.idempotency.key)
    if (before) {
      return before.request === wish.idempotency?.request
        ? { kind: 'replayed', card: before.card }
        : { kind: 'refused', reason: 'key_reused' }
    }
    if (wish.amount < facts.amountMin || wish.amount > facts.amountMax) {
      return { kind: 'refused', reason: 'amount_out_of_bounds' }
    }
    if (wish.amount > credit) return { kind: 'refused', reason: 'credit_limit' }
    credit -= wish.amount
    if (wish.idempotency)
      kept.set(wish.idempotency.key, { request: wish.idempotency.request, card: wish.card })
    return { kind: 'issued', card: wish.card }
  })
}
