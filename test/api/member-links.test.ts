import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { createRedeemGiftCard } from '#flows/gift-cards/redeem-gift-card.ts'
import { createDecideLink } from '#flows/partner-users/decide-link.ts'
import { parsePin } from '#modules/gift-cards/pin.ts'
import { PERSONAS } from '#providers/identity/personas.ts'
import { startPortoneStandIn } from '#stand-ins/identity/portone.ts'
import { LIVE_PROVIDERS } from '#test/deliveries.ts'
import { AGREED, Browser, PASSWORD } from '#test/member.ts'
import { issueApiKey, setUserStatusOf, showUser } from '#test/operator.ts'
import { ASSET, ciOf, HASH, SIGNUP, signupOf } from '#test/people.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { BUY, call, PHONE, startService } from '#test/service.ts'

// A live installation: real verification (by its stand-in), and links that wait for their member's word.
const standIn = await startPortoneStandIn({
  apiSecret: LIVE_PROVIDERS.PORTONE_API_SECRET,
  storeId: LIVE_PROVIDERS.PORTONE_STORE_ID,
  channelKey: LIVE_PROVIDERS.PORTONE_CHANNEL_KEY,
})
after(() => standIn.close())
const live = await startService({
  environment: {
    ...LIVE_PROVIDERS,
    PORTONE_URL: standIn.url,
    INGOT_MODE: 'live',
    KEY_RING_FILE: 'unused',
  },
})
const { database, url } = live
await sql`update installation set mode = 'live'`.execute(database.db)
const keys = await openVaultKeeper(database, TEST_RING_STORE)

async function addPartner(name: string) {
  const { code } = (await live.addPartner({ name })).partner
  const { key } = await issueApiKey(database, { code, mode: 'live', actor: 'test' })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key.reveal()}` }
  const post = (path: string, body: object) =>
    call(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { code, post }
}
const partners = {
  first: await addPartner('처음'),
  second: await addPartner('둘째'),
  third: await addPartner('셋째'),
}

type Person = (typeof PERSONAS)[number]
const [hana, duri] = ['김하나', '이두리'].map((name) => PERSONAS.find((one) => one.name === name)) as [
  Person,
  Person,
]

interface Link {
  id: string
  signUp(): Promise<number>
  points(): Promise<number | string>
  hash(): Promise<number>
  enter(): Promise<Browser>
  named: { partner: string; partnerKey: string }
}

async function link(
  { code, post }: (typeof partners)['first'],
  person: { ci: string; name: string },
): Promise<Link> {
  const userInfo = { ...person, birthday: '19920315', gender: 'F', mdn: '01000010001', nationality: 'K' }
  const { ci, name, birthday, gender, mdn, nationality } = userInfo
  const body = signupOf(code, 'x', { userInfo: { ci, name, birthday, gender, mdn, nationality } })
  const partnerKey: string = (await post(SIGNUP, body)).body.userKey
  const named = { partner: code, partnerKey }
  const { rows } = await database.pool.query('select id from partner_user where partner_key = $1', [
    partnerKey,
  ])
  return {
    id: rows[0].id,
    named,
    signUp: async () => (await post(SIGNUP, body)).status,
    points: async () => {
      const answer = await post(ASSET, named)
      return answer.status === 200 ? answer.body.points : answer.status
    },
    hash: async () => (await post(HASH, named)).status,
    enter: async () => {
      const browser = new Browser(url, '/webview/member')
      assert.equal((await browser.enter((await post(HASH, named)).body.hashKey)).status, 303)
      return browser
    },
  }
}

async function pointsOf(holderId: string): Promise<number> {
  const { rows } = await database.pool.query(
    `select coalesce(sum(balance), 0)::int as points from account where holder_id = $1 and asset = 'KRW_POINT'`,
    [holderId],
  )
  return rows[0].points
}

async function newPin(amount: number): Promise<string> {
  const bought = await partners.first.post(BUY, { phoneNumber: PHONE, amount })
  assert.equal(bought.status, 200, bought.text)
  const { giftId } = bought.body.data
  const { rows } = await database.pool.query('select pin from gift_card where id = $1', [giftId])
  return keys.vault().open({ table: 'gift_card', column: 'pin', row: giftId }, rows[0].pin)
}

async function redeem(browser: Browser, amount: number): Promise<void> {
  const answer = await browser.post('/cards/redeem', { pin: await newPin(amount) })
  assert.deepEqual([answer.status, answer.body.amount], [200, amount], answer.text)
}

async function prove(browser: Browser, purpose: string, person: Person) {
  const { name, birthday, gender, mdn, carrier } = person
  const begun = await browser.post('/identity', { purpose, name, birthday, gender, mdn, carrier })
  assert.deepEqual([begun.status, begun.body.sandboxCode], [200, null], begun.text)
  const { verificationId } = begun.body
  const code = standIn.codeOf(verificationId)!
  const answer = await browser.post(`/identity/${verificationId}/confirm`, { code })
  return { verificationId, answer }
}

const decide = (browser: Browser, { id }: Link, decision: string) =>
  browser.post(`/links/${id}`, { decision })
const states = async (browser: Browser) =>
  Object.fromEntries(
    (await browser.get('/links')).body.links.map((one: Record<string, unknown>) => [one.partner, one.state]),
  )

await sql`insert into metal_price (metal, at, won_per_gram, source)
  select metal, service_now() - interval '1 minute', 100000, 'test' from unnest(array['XAU', 'XAG']) metal
  on conflict do nothing`.execute(database.db)

const of = { first: await link(partners.first, hana), second: await link(partners.second, hana) }

const firstBrowser = await of.first.enter()
const mustVerify = async (browser: Browser) => (await browser.get('/session')).body.mustVerify

test('a partner sees what came through it, and another one nothing of that', async () => {
  await redeem(firstBrowser, 1_000)
  await redeem(await of.second.enter(), 200)
  assert.deepEqual([await of.first.points(), await of.second.points()], [1_000, 200])
})

const member = new Browser(url)
test('the person signs up and is asked about each partner, the first one too', async () => {
  const { verificationId, answer } = await prove(member, 'sign_up', hana)
  assert.deepEqual(answer.body.knownThrough, ['처음', '둘째'])
  const signup = await member.post('/signup', {
    verificationId,
    loginId: 'hana',
    password: PASSWORD,
    agreed: AGREED,
  })
  assert.deepEqual([signup.status, signup.body.undecidedLinks], [200, 2])
  assert.deepEqual(await states(member), { 처음: 'undecided', 둘째: 'undecided' })
  // Each still sees what came through it.
  assert.deepEqual([await of.first.points(), await of.second.points()], [1_000, 200])
  await redeem(member, 30)
  assert.deepEqual([await of.first.points(), await of.second.points()], [1_000, 200])
})

test('a partner cannot confirm for the member through its own web view', async () => {
  const view = await of.second.enter()
  assert.equal((await view.get('/session')).body.undecidedLinks, 1)
  const { verificationId: _, answer } = await prove(view, 'step_up', duri)
  assert.equal(answer.body.code, 'other_person')
  for (const decision of ['confirm', 'refuse']) {
    assert.equal((await decide(view, of.second, decision)).body.code, 'step_up_required')
  }
  assert.equal(await of.second.points(), 200)
})

test('confirmed, the link’s holdings are the member’s, and the partner sees all of them', async () => {
  const before = await of.first.enter()
  assert.equal(await mustVerify(firstBrowser), false)
  const answer = await decide(member, of.first, 'confirm')
  assert.deepEqual([answer.status, await states(member)], [200, { 처음: 'confirmed', 둘째: 'undecided' }])
  assert.deepEqual([await of.first.points(), await of.second.points()], [1_030, 200])
  // A web view that was open goes on, for the member. The first browser may have been the partner's own: it is not trusted
  // with all that the member holds, nor is any other for coming first.
  assert.deepEqual([await mustVerify(firstBrowser), await mustVerify(await of.first.enter())], [true, true])
  const order = await firstBrowser.post('/orders', { quoteId: randomUUID() })
  assert.equal(order.body.code, 'step_up_required')
  const wish = { requestId: randomUUID(), amount: 1, bank: '088', account: '110123456789' }
  assert.equal((await firstBrowser.post('/withdrawals', wish)).status, 404)
  await redeem(before, 5)
  assert.equal(await of.first.points(), 1_035)
  assert.equal((await decide(member, of.first, 'confirm')).status, 200)
  assert.equal((await member.get('/session')).body.undecidedLinks, 1)
})

test('a link of someone else is not there', async () => {
  const other = await link(partners.second, { ci: ciOf('other'), name: '남' })
  assert.equal((await decide(member, other, 'confirm')).status, 404)
})

test('refused, the link opens nothing, and what it held is the member’s', async () => {
  const view = await of.second.enter()
  assert.equal((await decide(member, of.second, 'refuse')).status, 200)
  assert.equal(await of.first.points(), 1_235)
  assert.deepEqual(
    [await of.second.points(), await of.second.hash(), await of.second.signUp()],
    [403, 403, 403],
  )
  assert.equal((await view.get('/links')).status, 401)
  for (const status of ['active', 'suspended'] as const) {
    await assert.rejects(
      setUserStatusOf(database, { ...of.second.named, status, reason: 'x', actor: 'test' }),
      /link_refused/,
    )
  }
  const shown = await showUser(database, keys.vault(), {
    ...of.second.named,
    revealReason: undefined,
    actor: 'test',
  })
  assert.deepEqual(
    [shown.user.status, shown.changes.map(({ action }) => action)],
    ['refused', ['user.signup', 'user.refuse']],
  )
})

test('the member may confirm later, and old sessions stay dead', async () => {
  assert.equal((await decide(member, of.second, 'confirm')).status, 200)
  assert.deepEqual([await of.second.points(), await of.second.hash()], [1_235, 200])
  assert.deepEqual(await states(member), { 처음: 'confirmed', 둘째: 'confirmed' })
})

test('on a link that the operator has closed the member’s word waits', async () => {
  await setUserStatusOf(database, { ...of.second.named, status: 'suspended', reason: 'x', actor: 'test' })
  assert.equal((await decide(member, of.second, 'refuse')).status, 409)
  await setUserStatusOf(database, { ...of.second.named, status: 'active', reason: 'x', actor: 'test' })
})

test('in a web view the member confirms after proving who it is', async () => {
  const linked = await link(partners.third, hana)
  const view = await linked.enter()
  await redeem(view, 7)
  assert.equal(await linked.points(), 7)
  assert.equal((await prove(view, 'step_up', hana)).answer.status, 200)
  assert.equal((await decide(view, of.first, 'refuse')).status, 404, 'of another partner')
  const answer = await decide(view, linked, 'confirm')
  assert.deepEqual([answer.status, answer.body.links.length], [200, 1])
  assert.equal(await linked.points(), 1_242)
})

test('cards that are registered while the member decides land with the member, or move there', async () => {
  const decideLink = createDecideLink(database)
  const redeem = createRedeemGiftCard({ database, keys })
  for (let round = 0; round < 20; round += 1) {
    const ci = ciOf(`raced ${round}`)
    const known = await link(partners.first, { ci, name: '경주' })
    const raced = await link(partners.second, { ci, name: '경주' })
    const { rows } = await database.pool.query('select member_id from partner_user where id = $1', [raced.id])
    const pins = await Promise.all(Array.from({ length: 4 }, () => newPin(10)))
    const decision = round % 2 === 0 ? 'confirm' : 'refuse'
    // As a request that found out who it is for before the decision was made.
    const work = pins.map((pin) => () => redeem({ pin: parsePin(pin)!, holderId: raced.id }))
    const outcomes = await Promise.all([
      work[0]!(),
      work[1]!(),
      decideLink({ memberId: rows[0].member_id, linkId: raced.id, decision }),
      work[2]!(),
      work[3]!(),
    ])
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['redeemed', 'redeemed', 'decided', 'redeemed', 'redeemed'],
    )
    // The link that made the member was never asked about, so its partner sees nothing of it.
    assert.deepEqual([await known.points(), await pointsOf(rows[0].member_id)], [0, 40])
    // The answer was lost, and the session is the member's by now.
    for (const holderId of [rows[0].member_id, raced.id]) {
      const again = await redeem({ pin: parsePin(pins[0]!)!, holderId })
      assert.ok(again.kind === 'redeemed' && again.again)
    }
  }
})
