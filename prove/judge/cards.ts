import type pg from 'pg'
import type { Act, Entry } from '../acts.ts'
import { PARTNER } from '../client.ts'

type Bought = Extract<Act, { kind: 'buy' }>

// Those with a known outcome of this kind, by the id that the service gave them.
export function acknowledged<Kind extends Act['kind']>(
  entries: readonly Entry[],
  kind: Kind,
): Map<string, Extract<Act, { kind: Kind }>> {
  const found = new Map<string, Extract<Act, { kind: Kind }>>()
  for (const { act, outcome } of entries) {
    if (act.kind === kind && outcome.kind === 'ok') found.set(outcome.id, act as Extract<Act, { kind: Kind }>)
  }
  return found
}

// I1, I2 and I5, by the rows.
export async function checkCards(sql: pg.Client, entries: readonly Entry[]): Promise<string[]> {
  const bought = acknowledged(entries, 'buy')
  const redeemed = acknowledged(entries, 'redeem')
  const { rows } = await sql.query<{ id: string; amount: string; status: string; redeemed: number }>(
    `select c.id, c.amount::text, c.status,
            (select count(*)::int from transfer t
              where t.card_id = c.id and t.kind = 'redeem' and t.amount = c.amount) as redeemed
       from gift_card c join partner p on p.id = c.partner_id where p.code = $1`,
    [PARTNER],
  )
  const cards = new Map(rows.map((row) => [row.id, row]))
  const violations = [...sharedCards(entries)]
  for (const [id, { key, amount }] of bought) {
    const card = cards.get(id)
    if (!card) violations.push(`I1 lost card: ${id}, bought by key ${key}`)
    else if (Number(card.amount) !== amount)
      violations.push(`I1 card of another amount: ${id} has ${card.amount} and was bought for ${amount}`)
  }
  for (const { id, status, redeemed: transfers } of rows) {
    if (!bought.has(id)) violations.push(`I2 doubled card: ${id} was never acknowledged`)
    const expected = redeemed.has(id) ? 1 : 0
    if (expected > 0 && (status !== 'used' || transfers === 0))
      violations.push(`I5 lost redemption: card ${id} is ${status} with ${transfers} redemptions`)
    else if (transfers !== expected || (status === 'used') !== expected > 0)
      violations.push(`I5 doubled redemption: card ${id} is ${status} with ${transfers} redemptions`)
  }
  return violations
}

// Two keys never get the same card.
function* sharedCards(entries: readonly Entry[]): Generator<string> {
  const keys = new Map<string, string>()
  for (const { act, outcome } of entries) {
    if (act.kind !== 'buy' || outcome.kind !== 'ok') continue
    const { key }: Bought = act
    const other = keys.get(outcome.id)
    if (other !== undefined && other !== key) yield `I2 one card for two keys: ${outcome.id}`
    keys.set(outcome.id, key)
  }
}
