import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { newId } from '#base/ids.ts'
import { voidCard } from '#flows/gift-cards/void-card.ts'
import { decidePurchases, type PurchaseWish } from '#modules/gift-cards/model.ts'
import { insertPurchases, type SealedPurchase } from '#modules/gift-cards/store.ts'
import type { CardId, IssuedCard, TxId } from '#modules/gift-cards/types.ts'
import { findReceivable } from '#modules/ledger/store.ts'
import { changePartner } from '#test/operator.ts'
import { assertBooks, startService } from '#test/service.ts'

// The SQL function buy_gift_cards against its reference model, on random histories of one partner: batches
// of purchases with and without keys, voids in between, limits that change, the partner suspended.
const service = await startService()
const { database } = service

interface Wish {
  amount: number
  key: number | null
  request: number
}
type Step =
  | { do: 'buy'; wishes: Wish[] }
  | { do: 'void'; which: number }
  | { do: 'limit'; extra: number }
  | { do: 'suspend'; suspended: boolean }

const wish = fc.record({
  amount: fc.integer({ min: 0, max: 120 }),
  key: fc.option(fc.integer({ min: 0, max: 5 }), { nil: null }),
  request: fc.integer({ min: 0, max: 1 }),
})
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('buy' as const),
        wishes: fc.array(wish, { minLength: 1, maxLength: 12 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('void' as const), which: fc.nat() }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('limit' as const), extra: fc.integer({ min: 0, max: 800 }) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('suspend' as const), suspended: fc.boolean() }) },
  ),
  { minLength: 1, maxLength: 12 },
)

let serial = 0n
const hash = (text: string) => createHash('sha256').update(text).digest()

function prepare(card: IssuedCard, { amount, key, request }: Wish): SealedPurchase {
  serial += 1n
  return {
    ...card,
    number: serial,
    amount: BigInt(amount),
    keyId: 'test',
    indexKeyId: 'i1',
    recipient: Buffer.from('\u0002e1 sealed'),
    recipientIndex: hash('phone'),
    pin: Buffer.from('\u0002e1 sealed'),
    pinIndex: hash(`pin ${serial}`),
    idempotency:
      key === null ? null : { keyHash: hash(`key ${key}`), requestHash: hash(`request ${request}`) },
  }
}

// A batcher keeps commands of one key apart, so a batch has each key once.
function withoutRepeatedKeys(wishes: readonly Wish[]): Wish[] {
  return wishes.filter(({ key }, i) => key === null || wishes.findIndex((other) => other.key === key) === i)
}

test('buy_gift_cards does what its model says, and the books hold', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history: Step[]) => {
      const { partner } = await service.addPartner({ creditLimit: 500n, amountMin: 10n, amountMax: 100n })
      const kept = new Map<string, { request: string; card: IssuedCard }>()
      const issued: (IssuedCard & { amount: bigint })[] = []
      let active = true
      let credit = 500n
      for (const step of history) {
        if (step.do === 'suspend') {
          active = !step.suspended
          const changes = { status: active ? ('active' as const) : ('suspended' as const) }
          await changePartner(database, { code: partner.code, changes, actor: 'test' })
        } else if (step.do === 'limit') {
          const { balance } = await findReceivable(database.db, partner.id)
          credit = BigInt(step.extra)
          const changes = { creditLimit: -balance + credit }
          await changePartner(database, { code: partner.code, changes, actor: 'test' })
        } else if (step.do === 'void') {
          const [card] = issued.length > 0 ? issued.splice(step.which % issued.length, 1) : []
          if (!card) continue
          const identifier = { kind: 'uuid', uuid: card.giftId } as const
          const outcome = await voidCard(database, {
            card: identifier,
            reason: 'test',
            actor: 'test',
            approvalFrom: 1_000_000_000n,
          })
          assert.equal(outcome.kind, 'voided')
          credit += card.amount
        } else {
          const wishes = withoutRepeatedKeys(step.wishes)
          const cards = wishes.map(() => ({ giftId: newId() as CardId, txId: newId() as TxId }))
          const expected = decidePurchases(
            { active, amountMin: 10n, amountMax: 100n, credit, kept },
            wishes.map(
              ({ amount, key, request }, i): PurchaseWish => ({
                amount: BigInt(amount),
                card: cards[i]!,
                idempotency: key === null ? null : { key: `${key}`, request: `${request}` },
              }),
            ),
          )
          const prepared = wishes.map((one, i) => prepare(cards[i]!, one))
          assert.deepEqual(await insertPurchases(database, partner.id, 1, prepared), expected)
          for (const [i, outcome] of expected.entries()) {
            if (outcome.kind !== 'issued') continue
            const { amount, key, request } = wishes[i]!
            credit -= BigInt(amount)
            issued.push({ ...outcome.card, amount: BigInt(amount) })
            if (key !== null) kept.set(`${key}`, { request: `${request}`, card: outcome.card })
          }
        }
      }
      const { balance } = await findReceivable(database.db, partner.id)
      assert.equal(
        -balance,
        issued.reduce((sum, card) => sum + card.amount, 0n),
      )
    }),
    { numRuns: 60 },
  )
  await assertBooks(database)
})
