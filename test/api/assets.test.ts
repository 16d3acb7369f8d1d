import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { gramsText, parseGrams, valueOfMetal } from '#modules/pricing/rules.ts'
import { LIVE_PROVIDERS } from '#test/deliveries.ts'
import { grantAssets, setUserStatusOf } from '#test/operator.ts'
import { ASSET, SIGNUP, signupOf } from '#test/people.ts'
import { call, startService } from '#test/service.ts'

const service = await startService()
const { database } = service
const mine = await service.addPartner({ keyFormat: 'custom', keyPattern: '.{1,64}' })
const other = await service.addPartner()
const signUp = async (partner: typeof mine, person: string, partnerKey?: string) =>
  (await partner.post(SIGNUP, signupOf(partner.partner.code, person, { partnerKey }))).body.userKey

const assetsOf = (partner: typeof mine, partnerKey: string) =>
  partner.post(ASSET, { partner: partner.partner.code, partnerKey })
const grant = (partner: typeof mine, partnerKey: string, amounts: Record<string, bigint>) =>
  grantAssets(database, { partner: partner.partner.code, partnerKey, amounts, actor: 'test' })

test('someone who holds nothing: every documented field, zeros, and the price', async () => {
  const key = await signUp(mine, 'nothing', 'n-1')
  const { status, body } = await assetsOf(mine, key)
  assert.equal(status, 200)
  const { asOf, ...rest } = body
  assert.match(asOf, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(rest, {
    partner: mine.partner.code,
    partnerKey: 'n-1',
    currency: 'KRW',
    points: 0,
    deposit: 0,
    gold: { grams: '0.0000', pricePerGram: 198500, value: 0 },
    silver: { grams: '0.0000', pricePerGram: 2480, value: 0 },
    totalValue: 0,
  })
})

test('figures come from the ledger and the current price; values are rounded down', async () => {
  const key = await signUp(mine, 'rich', 'r-1')
  await grant(mine, key, { KRW_POINT: 50_000n, KRW: 12_000n, XAU: 12_345n, XAG: 1n })
  await grant(mine, key, { XAU: 1n })
  const before = (await assetsOf(mine, key)).body
  assert.deepEqual(before.gold, { grams: '1.2346', pricePerGram: 198500, value: 245068 })
  assert.deepEqual(before.silver, { grams: '0.0001', pricePerGram: 2480, value: 0 })
  assert.equal(before.totalValue, 50_000 + 12_000 + 245_068)
  await sql`insert into metal_price (metal, at, won_per_gram, source)
    values ('XAU', service_now() + interval '1 hour', 1, 'test'),
           ('XAG', service_now(), 10000000, 'test')`.execute(database.db)
  const later = (await assetsOf(mine, key)).body
  assert.deepEqual(later.gold, before.gold, 'a price of the future does not count yet')
  assert.deepEqual(later.silver, { grams: '0.0001', pricePerGram: 10000000, value: 1000 })
})

test('GET and POST answer alike, for keys with anything in them', async () => {
  for (const key of ['plain', 'with space', '100%', 'a+b&c=d', '한글/키?#', "o'clock"]) {
    assert.equal(await signUp(mine, `of ${key}`, key), key)
    const byPost = (await assetsOf(mine, key)).body
    const query = new URLSearchParams({ source: mine.partner.code, partnerKey: key })
    const byGet = (await mine.get(`${ASSET}?${query}`)).body
    assert.deepEqual({ ...byGet, asOf: 0 }, { ...byPost, asOf: 0 })
    assert.equal(byGet.partnerKey, key)
  }
})

test('400: a null beside the other spelling is no agreement with it', async () => {
  const userKey = await signUp(mine, 'spelled', 's-1')
  const partner = mine.partner.code
  for (const names of [
    { partner, partnerKey: null, userKey },
    { partner, partnerKey: userKey, userKey: null },
    { partner: null, source: partner, partnerKey: userKey },
  ])
    assert.equal((await mine.post(ASSET, names)).status, 400)
  assert.equal((await mine.post(ASSET, { partner, userKey })).status, 200)
})

test('in the sandbox the same person at another partner sees the same holdings', async () => {
  const here = await signUp(mine, 'both', 'b-1')
  await grant(mine, here, { KRW_POINT: 7n })
  const there = await signUp(other, 'both')
  assert.equal((await assetsOf(other, there)).body.points, 7)
})

test('404 and 403, also beside others in a batch', async () => {
  const [fine, closed] = [await signUp(mine, 'fine', 'f-1'), await signUp(mine, 'closed', 'c-1')]
  await setUserStatusOf(database, {
    partner: mine.partner.code,
    partnerKey: closed,
    status: 'suspended',
    reason: 'test',
    actor: 'test',
  })
  const answers = await Promise.all([fine, closed, 'nobody', fine].map((key) => assetsOf(mine, key)))
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 403, 404, 200],
  )
})

test('many partners at once, with the same keys for other people: each sees its own', async () => {
  const partners = [mine, await service.addPartner({ keyFormat: 'custom', keyPattern: '.{1,64}' })]
  const users = partners.flatMap((partner, p) =>
    [1n, 2n, 3n].map((k) => ({ partner, key: `same-${k}`, points: 100n * BigInt(p + 1) + k })),
  )
  for (const { partner, key, points } of users) {
    await signUp(partner, `${partner.partner.code} ${key}`, key)
    await grant(partner, key, { KRW_POINT: points })
  }
  const asked = Array.from({ length: 60 }, (_, i) => users[(i * 5) % users.length]!)
  const answers = await Promise.all(
    asked.flatMap(({ partner, key }) => [assetsOf(partner, key), assetsOf(other, key)]),
  )
  assert.deepEqual(
    answers.map(({ status, body }) => (status === 200 ? [body.partner, body.points] : status)),
    asked.flatMap(({ partner, points }) => [[partner.partner.code, Number(points)], 404]),
  )
})

test('a grant that cannot be leaves nothing', async () => {
  const key = await signUp(mine, 'greedy', 'g-1')
  await assert.rejects(grant(mine, key, { KRW: 5n, XAU: 10n ** 18n }), /amount_out_of_bounds/)
  await assert.rejects(grant(mine, key, {}), /nothing_to_grant/)
  await assert.rejects(grant(mine, 'nobody', { KRW: 1n }), /user_not_found/)
  assert.equal((await assetsOf(mine, key)).body.totalValue, 0)
})

test('grams: four places, floor, and back', () => {
  assert.deepEqual([0n, 1n, 9_999n, 10_000n, 123_456_789n].map(gramsText), [
    '0.0000',
    '0.0001',
    '0.9999',
    '1.0000',
    '12345.6789',
  ])
  assert.deepEqual(['1', '0.5', '12345.6789', '1.00001', '-1', '1e3', ''].map(parseGrams), [
    10_000n,
    5_000n,
    123_456_789n,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  assert.equal(valueOfMetal(9_999n, 1n), 0n)
  assert.equal(valueOfMetal(3n, 198_500n), 59n)
})

test('live: a link to someone who was there before sees only what came through it; no price is guessed', async () => {
  const live = await startService({
    environment: { ...LIVE_PROVIDERS, INGOT_MODE: 'live', KEY_RING_FILE: 'unused' },
  })
  await sql`update installation set mode = 'live'`.execute(live.database.db)
  const keyless = { keyless: true, networks: ['127.0.0.0/8'] }
  const first = await live.addPartner(keyless)
  const second = await live.addPartner(keyless)
  const flagless = await live.addPartner({ networks: ['127.0.0.0/8'] })
  const post = (path: string, body: object) =>
    call(`${live.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const keys: string[] = []
  for (const { partner } of [first, second]) {
    keys.push((await post(SIGNUP, signupOf(partner.code, 'known'))).body.userKey)
  }
  assert.equal((await post(SIGNUP, signupOf(flagless.partner.code, 'known'))).status, 401)
  // Play money is refused in live; the holdings are made while the database believes to be a sandbox.
  await assert.rejects(
    grantAssets(live.database, {
      partner: first.partner.code,
      partnerKey: keys[0]!,
      amounts: { KRW: 1n },
      actor: 'test',
    }),
    /sandbox_only/,
  )
  await sql`update installation set mode = 'sandbox'`.execute(live.database.db)
  for (const [i, { partner }] of [first, second].entries()) {
    await grantAssets(live.database, {
      partner: partner.code,
      partnerKey: keys[i]!,
      amounts: { KRW_POINT: 100n * BigInt(i + 1) },
      actor: 'test',
    })
  }
  await sql`update installation set mode = 'live'`.execute(live.database.db)
  const points = async (i: number) =>
    (await post(ASSET, { partner: [first, second][i]!.partner.code, partnerKey: keys[i] })).body.points
  assert.deepEqual([await points(0), await points(1)], [100, 200])
  await sql`delete from metal_price`.execute(live.database.db)
  const answer = await post(ASSET, { partner: first.partner.code, partnerKey: keys[0] })
  assert.deepEqual([answer.status, answer.text], [503, '{"error":"Service unavailable"}'])
  const cause = JSON.parse(live.log.find((line) => line.includes('no price'))!)
  assert.equal(cause.reason, 'there is no price of this metal yet')
  // The harness checks the books of a sandbox, where grants belong.
  await sql`update installation set mode = 'sandbox'`.execute(live.database.db)
})
