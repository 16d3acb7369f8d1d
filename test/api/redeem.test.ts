import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { createCheckCard } from '#flows/gift-cards/check-card.ts'
import { createRedeemGiftCard, type RedeemGiftCard } from '#flows/gift-cards/redeem-gift-card.ts'
import { parsePin } from '#modules/gift-cards/pin.ts'
import { decideRedeem } from '#modules/gift-cards/rules.ts'
import { advanceClock } from '#test/operator.ts'
import { ASSET, SIGNUP, signupOf } from '#test/people.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { BUY, startService } from '#test/service.ts'

const service = await startService()
const { database } = service
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const partner = await service.addPartner()

interface Person {
  userKey: string
  holderId: string
}

async function signUp(name: string): Promise<Person> {
  const { userKey } = (await partner.post(SIGNUP, signupOf(partner.partner.code, name))).body
  const { rows } = await database.pool.query('select member_id from partner_user where partner_key = $1', [
    userKey,
  ])
  return { userKey, holderId: rows[0].member_id }
}
const someone = await signUp('홍길동')
const another = await signUp('김철수')

async function buy(amount = 50_000): Promise<{ giftId: string; pin: string }> {
  const { giftId } = (await partner.buy({ phoneNumber: '010-1234-5678', amount })).body.data
  const { rows } = await database.pool.query('select pin from gift_card where id = $1', [giftId])
  return { giftId, pin: keys.vault().open({ table: 'gift_card', column: 'pin', row: giftId }, rows[0].pin) }
}

// Two, as in two processes: only there do transactions race for the same card.
const registers = [
  createRedeemGiftCard({ database, keys }),
  createRedeemGiftCard({ database, keys }),
] as const
const checkCard = createCheckCard({ database, keys })

async function redeem(
  typed: string,
  { holderId }: Person,
  register: RedeemGiftCard = registers[0],
): Promise<string> {
  const outcome = await register({ pin: parsePin(typed)!, holderId })
  return outcome.kind === 'redeemed' ? (outcome.again ? 'again' : 'redeemed') : outcome.reason
}

async function pointsOf({ userKey }: Person): Promise<number> {
  return (await partner.post(ASSET, { partner: partner.partner.code, partnerKey: userKey })).body.points
}
const usage = async () => {
  const { body } = await partner.get('/v2/partner/usage?startDate=2026-1-1&endDate=2035-12-31')
  return [body.totalIssued, body.totalUsed, body.totalUsedInIssued]
}

test('a card becomes points, once; a retry is the same success, and nobody else has it', async () => {
  const { giftId, pin } = await buy(70_000)
  const [issued, used, usedInIssued] = await usage()
  const before = await pointsOf(someone)
  // As people type it.
  assert.equal(await redeem(pin.toLowerCase().replace(/.{4}(?=.)/g, '$&-'), someone), 'redeemed')
  assert.equal(await redeem(pin, someone), 'again')
  assert.equal(await redeem(pin, another), 'used')
  assert.equal(await pointsOf(someone), before + 70_000)
  assert.equal(await pointsOf(another), 0)
  const { data } = (await partner.get(`${BUY}/${giftId}`)).body
  assert.deepEqual([data.used, data.valid], [true, false])
  assert.deepEqual(await usage(), [issued, used + 70_000, usedInIssued + 70_000])
  const { rows } = await database.pool.query('select pin, used_by from gift_card where id = $1', [giftId])
  assert.deepEqual(rows, [{ pin: null, used_by: someone.holderId }])
  assert.equal((await partner.post(`${BUY}/${giftId}/cancel`, { reason: 'x' })).status, 409)
})

async function check(typed: string, { holderId }: Person): Promise<string> {
  const outcome = await checkCard({ pin: parsePin(typed)!, holderId })
  if (outcome.kind === 'refused') return outcome.reason
  return [outcome.amount, outcome.partnerName, outcome.again ? 'again' : 'open'].join(' ')
}

test('what a PIN would give is told without redeeming it', async () => {
  const { pin } = await buy(30_000)
  const { name } = partner.partner
  assert.equal(await check(pin, someone), `30000 ${name} open`)
  assert.equal(await check(pin, another), `30000 ${name} open`)
  assert.equal(await redeem(pin, someone), 'redeemed')
  assert.equal(await check(pin, someone), `30000 ${name} again`)
  assert.equal(await check(pin, another), 'used')
  assert.equal(await check('0000-0000-0000-0000', someone), 'absent')
})

test('the answer tells the points held now', async () => {
  const person = await signUp('점수')
  for (const [amount, points] of [
    [1_000, 1_000n],
    [2_000, 3_000n],
  ] as const) {
    const { pin } = await buy(amount)
    const outcome = await registers[0]({ pin: parsePin(pin)!, holderId: person.holderId })
    assert.equal(outcome.kind === 'redeemed' && outcome.points, points)
  }
})

const ROUNDS = 1_000
const AT_ONCE = 50 // rounds side by side: a batch is then of many cards, as on a busy day

test('1,000 rounds of 30 who redeem one card at once: one success each', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, (_, i) => signUp(`사람 ${i}`)))
  async function round(): Promise<void> {
    const { pin } = await buy(1_000)
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, i) => redeem(pin, people[i % 6]!, registers[i % 2]!)),
    )
    const count = (what: string) => outcomes.filter((outcome) => outcome === what).length
    assert.deepEqual([count('redeemed'), count('again'), count('used')], [1, 4, 25])
  }
  let left = ROUNDS
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left > 0) {
        left -= 1
        await round()
      }
    }),
  )
  const points = await Promise.all(people.map(pointsOf))
  assert.equal(
    points.reduce((sum, held) => sum + held, 0),
    ROUNDS * 1_000,
  )
})

test('a card that is cancelled at the same time is used or cancelled, never both', async () => {
  for (let round = 0; round < 20; round += 1) {
    const { giftId, pin } = await buy(1_000)
    const [redeemed, cancelled] = await Promise.all([
      redeem(pin, someone),
      partner.post(`${BUY}/${giftId}/cancel`, { reason: 'x' }),
    ])
    assert.ok((redeemed === 'redeemed') !== (cancelled.status === 200), `${redeemed} ${cancelled.status}`)
  }
})

test('nobody’s PIN, and a card that was taken back', async () => {
  const { giftId, pin } = await buy()
  await partner.post(`${BUY}/${giftId}/cancel`, { reason: 'x' })
  assert.equal(await redeem(pin, someone), 'voided')
  assert.equal(await redeem('0000-0000-0000-0000', someone), 'absent')
})

const OPEN = { status: 'issued', usedBy: null, expiresOn: '2027-01-31', today: '2027-01-31' } as const
const DECISIONS: [what: string, card: Parameters<typeof decideRedeem>[0], expected: string][] = [
  ['no card', undefined, 'absent'],
  ['its last day', OPEN, 'redeem'],
  ['the day after', { ...OPEN, today: '2027-02-01' }, 'expired'],
  ['marked as expired', { ...OPEN, status: 'expired' }, 'expired'],
  ['voided', { ...OPEN, status: 'voided' }, 'voided'],
  ['used by the same', { ...OPEN, status: 'used', usedBy: 'me' }, 'again'],
  ['used by another', { ...OPEN, status: 'used', usedBy: 'you' }, 'used'],
]
for (const [what, card, expected] of DECISIONS) {
  test(`decide: ${what}`, () => assert.equal(decideRedeem(card, 'me'), expected))
}

// Last: the clock never goes back.
test('used in a later month: it counts on that day, and for the day it was issued on', async () => {
  const { pin } = await buy(3_000)
  const late = await buy(5_000)
  const [issued, used, usedInIssued] = await usage()
  await advanceClock(database, { seconds: 40 * 86_400, actor: 'test' })
  assert.equal(await redeem(pin, someone), 'redeemed')
  assert.deepEqual(await usage(), [issued, used + 3_000, usedInIssued + 3_000])
  await advanceClock(database, { seconds: 360 * 86_400, actor: 'test' })
  assert.equal(await redeem(late.pin, someone), 'expired')
})
