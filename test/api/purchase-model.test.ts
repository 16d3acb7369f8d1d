import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { newId } from '#base/ids.ts'
import { voidCard } from '#flows/gift-cards/void-card.ts'
import { decidePurchases, type PurchaseWish } from '#modules/gift-cards/model.ts'
import { insertPurchases, type SealedPurchase } from '#modules/gift-cards/store.ts'
import type { CardId, IssuedCard, PurchaseOutcome, TxId } from '#modules/gift-cards/types.ts'
import { findReceivable } from '#modules/ledger/store.ts'
import { changePartner } from '#test/operator.ts'
import { assertBooks, startService } from '#test/service.ts'

// The SQL function write_purchases against its reference model, on random histories of two partners: batches
// of purchases of both, with and without keys, voids in between, limits that change, a partner suspended.
const service = await startService()
const { database } = service

type Which = 0 | 1
interface Wish {
  of: Which
  amount: number
  key: number | null
  request: number
}
type Step =
  | { do: 'buy'; wishes: Wish[] }
  | { do: 'void'; which: number }
  | { do: 'limit'; of: Which; extra: number }
  | { do: 'suspend'; of: Which; suspended: boolean }

const of = fc.constantFrom<Which>(0, 1)
const wish = fc.record({
  of,
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
      arbitrary: fc.record({
        do: fc.constant('limit' as const),
        of,
        extra: fc.integer({ min: 0, max: 800 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('suspend' as const), of, suspended: fc.boolean() }) },
  ),
  { minLength: 1, maxLength: 12 },
)

let serial = 0n
const hash = (text: string) => createHash('sha256').update(text).digest()

function prepare(partnerId: number, card: IssuedCard, { amount, key, request }: Wish): SealedPurchase {
  serial += 1n
  return {
    ...card,
    partnerId,
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

// A batcher keeps a partner's commands of one key apart, so a batch has each key of a partner once.
function withoutRepeatedKeys(wishes: readonly Wish[]): Wish[] {
  return wishes.filter(
    ({ of, key }, i) =>
      key === null || wishes.findIndex((other) => other.of === of && other.key === key) === i,
  )
}

// A partner, and what is to be expected of it.
async function addBuyer() {
  const { partner } = await service.addPartner({ creditLimit: 500n, amountMin: 10n, amountMax: 100n })
  return {
    ...partner,
    kept: new Map<string, { request: string; card: IssuedCard }>(),
    active: true,
    credit: 500n,
    owed: 0n,
  }
}
type Buyer = Awaited<ReturnType<typeof addBuyer>>
type Issued = IssuedCard & { amount: bigint; buyer: Buyer }

async function buy(buyers: readonly Buyer[], wishes: readonly Wish[]): Promise<Issued[]> {
  const cards = wishes.map(() => ({ giftId: newId() as CardId, txId: newId() as TxId }))
  const expected: PurchaseOutcome[] = []
  for (const [which, { active, credit, kept }] of buyers.entries()) {
    const places = wishes.flatMap((wish, i) => (wish.of === which ? [i] : []))
    const decided = decidePurchases(
      { active, amountMin: 10n, amountMax: 100n, credit, kept },
      places.map((place): PurchaseWish => {
        const { amount, key, request } = wishes[place]!
        return {
          amount: BigInt(amount),
          card: cards[place]!,
          idempotency: key === null ? null : { key: `${key}`, request: `${request}` },
        }
      }),
    )
    for (const [i, outcome] of decided.entries()) expected[places[i]!] = outcome
  }
  const batch = wishes.map((wish, i) => prepare(buyers[wish.of]!.id, cards[i]!, wish))
  assert.deepEqual(await insertPurchases(database, { epoch: 1 }, batch), expected)
  return expected.flatMap((outcome, i) => {
    if (outcome.kind !== 'issued') return []
    const { of, key, request } = wishes[i]!
    const buyer = buyers[of]!
    const amount = BigInt(wishes[i]!.amount)
    buyer.credit -= amount
    buyer.owed += amount
    if (key !== null) buyer.kept.set(`${key}`, { request: `${request}`, card: outcome.card })
    return [{ ...outcome.card, amount, buyer }]
  })
}

async function changeLimit(buyer: Buyer, credit: bigint): Promise<void> {
  buyer.credit = credit
  const changes = { creditLimit: buyer.owed + credit }
  await changePartner(database, { code: buyer.code, changes, actor: 'test' })
}

async function suspend(buyer: Buyer, suspended: boolean): Promise<void> {
  buyer.active = !suspended
  const changes = { status: buyer.active ? ('active' as const) : ('suspended' as const) }
  await changePartner(database, { code: buyer.code, changes, actor: 'test' })
}

async function voidOne({ giftId, amount, buyer }: Issued): Promise<void> {
  const card = { kind: 'uuid', uuid: giftId } as const
  const act = { card, reason: 'test', actor: 'test', approvalFrom: 1_000_000_000n }
  assert.equal((await voidCard(database, act)).kind, 'voided')
  buyer.credit += amount
  buyer.owed -= amount
}

test('write_purchases does what its model says, and the books hold', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history: Step[]) => {
      const buyers = [await addBuyer(), await addBuyer()]
      const issued: Issued[] = []
      for (const step of history) {
        if (step.do === 'buy') issued.push(...(await buy(buyers, withoutRepeatedKeys(step.wishes))))
        else if (step.do === 'limit') await changeLimit(buyers[step.of]!, BigInt(step.extra))
        else if (step.do === 'suspend') await suspend(buyers[step.of]!, step.suspended)
        else if (issued.length > 0) await voidOne(issued.splice(step.which % issued.length, 1)[0]!)
      }
      for (const { id, owed } of buyers) {
        const { balance } = await findReceivable(database.db, id)
        assert.equal(-balance, owed)
      }
    }),
    { numRuns: 60 },
  )
  await assertBooks(database)
})
