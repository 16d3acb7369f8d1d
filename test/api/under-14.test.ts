import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { seoulDate } from '#base/time/seoul-time.ts'
import { addMember, BEHIND_PROXY, Browser, newPerson, userInfoOf } from '#test/member.ts'
import { grantAssets, redeemForUser } from '#test/operator.ts'
import { HASH, personOf, SIGNUP, signupOf } from '#test/people.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { BUY, PHONE, startService } from '#test/service.ts'

// Someone under 14 can be signed up by a partner, and neither registers a card nor trades until the fourteenth birthday.
const CONTACT = '1544-0000'
const service = await startService({
  environment: { ...BEHIND_PROXY.environment, SUPPORT_CONTACT: CONTACT },
})
const { database } = service
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const partner = await service.addPartner()
const { code } = partner.partner

const today = () =>
  database.pool.query('select service_now() as now').then(({ rows }) => seoulDate(rows[0].now))
const birthdayOf = (day: Temporal.PlainDate) => day.toString().replaceAll('-', '')

async function signUp(birthday: string, userInfo: object = personOf(randomUUID())): Promise<string> {
  const answer = await partner.post(SIGNUP, signupOf(code, 'x', { userInfo: { ...userInfo, birthday } }))
  assert.equal(answer.status, 200, answer.text)
  return answer.body.userKey
}

async function enter(
  partnerKey: string,
  browser = new Browser(service.url, '/webview/member'),
): Promise<Browser> {
  const { hashKey } = (await partner.post(HASH, { partner: code, partnerKey })).body
  await browser.enter(hashKey)
  return browser
}

async function buyCard(): Promise<{ giftId: string; pin: string }> {
  const { giftId } = (await partner.buy({ phoneNumber: PHONE, amount: 9000 })).body.data
  const { rows } = await database.pool.query('select pin from gift_card where id = $1', [giftId])
  return { giftId, pin: keys.vault().open({ table: 'gift_card', column: 'pin', row: giftId }, rows[0].pin) }
}

async function travelTo(day: Temporal.PlainDate): Promise<void> {
  const days = (await today()).until(day).total('days')
  await database.pool.query(`update installation set clock_offset = clock_offset + interval '${days} days'`)
  await database.pool.query('update metal_price set at = service_now()')
}

const isValid = async (giftId: string) => (await partner.get(`${BUY}/${giftId}`)).body.data.valid
const QUOTE = { side: 'buy', metal: 'gold', won: 5000 }

test('refused with whom to contact at each door to value; the card stays valid, and is usable at 14', async () => {
  // Fourteen in two days.
  const fourteenth = (await today()).add({ days: 2 })
  const userKey = await signUp(birthdayOf(fourteenth.subtract({ years: 14 })))
  await grantAssets(database, {
    partner: code,
    partnerKey: userKey,
    amounts: { KRW_POINT: 9000n },
    actor: 'test',
  })
  const { giftId, pin } = await buyCard()
  const cancelled = await buyCard()
  const child = await enter(userKey)

  for (const [path, body] of [
    ['/cards/check', { pin }],
    ['/cards/redeem', { pin }],
    ['/cards/extend', { pin }],
    ['/cards/refund-offers', { pin }],
    ['/cards/refunds', { quoteId: randomUUID() }],
    ['/quotes', QUOTE],
    ['/quotes', { ...QUOTE, side: 'sell' }],
    ['/orders', { quoteId: randomUUID() }],
  ] as const) {
    const { status, body: problem } = await child.post(path, body)
    assert.deepEqual([path, status, problem.code, problem.contact], [path, 403, 'under_age', CONTACT])
    const plain = await child.post(path, body, { accept: 'application/json' })
    assert.equal(plain.text, '{"error":"Guardian consent required"}')
  }
  const named = { partner: code, partnerKey: userKey, pin, actor: 'test' }
  await assert.rejects(redeemForUser({ database, keys }, named), /under_14/)
  assert.equal((await child.get('/assets')).status, 200, 'what is held can be seen')
  assert.equal(await isValid(giftId), true)
  assert.equal((await partner.post(`${BUY}/${cancelled.giftId}/cancel`, { reason: 'a child' })).status, 200)

  await travelTo(fourteenth.subtract({ days: 1 }))
  assert.equal((await (await enter(userKey, child)).post('/cards/redeem', { pin })).body.code, 'under_age')
  await travelTo(fourteenth)
  const grown = await enter(userKey, child)
  assert.equal((await grown.post('/cards/redeem', { pin })).status, 200)
  const quote = await grown.post('/quotes', QUOTE)
  assert.equal(quote.status, 200, quote.text)
  assert.equal((await grown.post('/orders', { quoteId: quote.body.quoteId })).status, 200)
})

test("the carrier's word counts before a partner's, once its member has confirmed the link", async () => {
  const person = newPerson()
  const { browser } = await addMember(service, person)
  const userKey = await signUp(birthdayOf((await today()).subtract({ years: 8 })), userInfoOf(person))
  const { pin } = await buyCard()
  const visitor = await enter(userKey)
  assert.equal((await visitor.post('/quotes', QUOTE)).status, 200)
  assert.equal((await visitor.post('/cards/check', { pin })).status, 200)
  const { card } = await redeemForUser(
    { database, keys },
    { partner: code, partnerKey: userKey, pin, actor: 'test' },
  )
  assert.equal(card.amount, 9000n)
  assert.equal((await browser.post('/cards/redeem', { pin })).body.again, true)
})

test('a partner cannot find out by a birthday whether somebody has an account', async () => {
  const [member, stranger] = [newPerson(), newPerson()]
  await addMember(service, member)
  const birthday = birthdayOf((await today()).subtract({ years: 6 }))
  const { pin } = await buyCard()
  const answers = await Promise.all(
    [member, stranger].map(async (person) => {
      const partnerKey = await signUp(birthday, userInfoOf(person))
      // As a link to somebody who was there before is in live; a sandbox confirms at once.
      await database.pool.query('update partner_user set confirmed = false where partner_key = $1', [
        partnerKey,
      ])
      const visitor = await enter(partnerKey)
      const { status, body } = await visitor.post('/quotes', QUOTE)
      const named = { partner: code, partnerKey, pin, actor: 'test' }
      await assert.rejects(redeemForUser({ database, keys }, named), /under_14/)
      return [status, body.code, (await visitor.post('/cards/check', { pin })).body.code]
    }),
  )
  assert.deepEqual(answers, Array(2).fill([403, 'under_age', 'under_age']))
})

test('a partner who corrects the birthday opens the door at once', async () => {
  const userInfo = personOf(randomUUID())
  const userKey = await signUp(birthdayOf((await today()).subtract({ years: 8 })), userInfo)
  const visitor = await enter(userKey)
  assert.equal((await visitor.post('/quotes', QUOTE)).body.code, 'under_age')
  await signUp('19900131', userInfo)
  assert.equal((await visitor.post('/quotes', QUOTE)).status, 200)
})
