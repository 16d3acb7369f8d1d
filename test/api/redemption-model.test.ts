import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { newId } from '#base/ids.ts'
import { voidCard } from '#flows/gift-cards/void-card.ts'
import { decideRedeem } from '#modules/gift-cards/rules.ts'
import { redeemCards } from '#modules/gift-cards/store.ts'
import type { RedeemOutcome } from '#modules/gift-cards/types.ts'
import { addHolder } from '#test/holders.ts'
import { advanceClock } from '#test/operator.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { assertBooks, PHONE, startService } from '#test/service.ts'

// The SQL function redeem_gift_cards against its reference model, on random histories of two partners' cards. Three
// holders send batches: some under the hash of a rotation, some under the hash kept of a used PIN, some with unknown
// PINs. In between, cards are voided or expire.
const service = await startService()
const { database } = service
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const partners = [await service.addPartner(), await service.addPartner()]
const holders: string[] = []
for (const name of ['하나', '둘', '셋']) holders.push((await addHolder(service, partners[0]!, name)).holderId)

const CARDS = 8
// Cards are good for a year: two of these are longer.
const HALF_A_YEAR = 190 * 86_400

const pick = fc.record({
  card: fc.nat({ max: CARDS }),
  holder: fc.nat({ max: 2 }),
  under: fc.constantFrom('current', 'next', 'kept'),
})
type Pick = typeof pick extends fc.Arbitrary<infer Value> ? Value : never
const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      // A batch has each PIN once: the flow keeps them apart.
      arbitrary: fc.record({
        do: fc.constant('redeem' as const),
        picks: fc.uniqueArray(pick, { minLength: 1, maxLength: 6, selector: ({ card }) => card }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('void' as const), card: fc.nat({ max: CARDS - 1 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('outlive' as const) }),
    },
  ),
  { minLength: 1, maxLength: 10 },
)

interface ModelCard {
  id: string
  hash: Buffer
  kept: Buffer
  amount: bigint
  status: 'issued' | 'used' | 'voided'
  usedBy: string | null
  expiresOn: string
}

async function issue(i: number): Promise<ModelCard> {
  const amount = 1_000 + i
  const { giftId } = (await partners[i % 2]!.buy({ phoneNumber: PHONE, amount })).body.data
  const { rows } = await database.pool.query('select pin_index, expires_on from gift_card where id = $1', [
    giftId,
  ])
  const open = { status: 'issued', usedBy: null, expiresOn: rows[0].expires_on } as const
  return {
    id: giftId,
    hash: rows[0].pin_index,
    kept: Buffer.alloc(32, giftId),
    amount: BigInt(amount),
    ...open,
  }
}

async function findToday(): Promise<string> {
  const { rows } = await database.pool.query('select seoul_date(service_now()) as today')
  return rows[0].today
}

async function redeem(cards: ModelCard[], picks: Pick[]) {
  const none = Buffer.alloc(32, newId())
  const batch = picks.map(({ card, holder, under }) => {
    const { hash, kept } = cards[card] ?? { hash: none, kept: none }
    const found = { current: under === 'current' ? hash : none, next: under === 'next' ? hash : null }
    return { ...found, kept, holderId: holders[holder]!, groupId: newId() }
  })
  const outcomes = await redeemCards(database, keys.vault().epoch, batch)
  assert.ok(outcomes !== 'stale_keys')
  const today = await findToday()
  for (const [i, { card, holder, under }] of picks.entries()) {
    // Only a used card is found by what is kept.
    const model = under === 'kept' && cards[card]?.status !== 'used' ? undefined : cards[card]
    const by = holders[holder]!
    const decision = decideRedeem(model && { ...model, today }, by)
    const outcome: RedeemOutcome = outcomes[i]!
    const said: string = outcome.kind === 'refused' ? outcome.reason : outcome.again ? 'again' : 'redeem'
    assert.equal(said, decision)
    if (outcome.kind === 'redeemed') assert.equal(outcome.card.amount, model!.amount)
    if (decision === 'redeem' && model) Object.assign(model, { status: 'used', usedBy: by })
  }
}

test('redeem_gift_cards does what its model says, and the books hold', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const half = CARDS / 2
      const older = await Promise.all(Array.from({ length: half }, (_, i) => issue(i)))
      await advanceClock(database, { seconds: HALF_A_YEAR, actor: 'test' })
      const cards = [
        ...older,
        ...(await Promise.all(Array.from({ length: half }, (_, i) => issue(half + i)))),
      ]
      for (const step of history) {
        if (step.do === 'redeem') {
          await redeem(cards, step.picks)
          continue
        }
        if (step.do === 'outlive') {
          await advanceClock(database, { seconds: HALF_A_YEAR, actor: 'test' })
          continue
        }
        const card = cards[step.card]!
        const identifier = { kind: 'uuid', uuid: card.id } as const
        const { kind } = await voidCard(database, {
          card: identifier,
          reason: 'test',
          actor: 'test',
          approvalFrom: 1_000_000_000n,
        })
        assert.equal(kind === 'voided', card.status === 'issued')
        if (card.status === 'issued') card.status = 'voided'
      }
    }),
    { numRuns: 50 },
  )
  const { rows } = await database.pool.query(`select count(*) as count from gift_card where status = 'used'`)
  assert.ok(rows[0].count > 50n, 'the histories have redemptions in them')
  await assertBooks(database)
})
