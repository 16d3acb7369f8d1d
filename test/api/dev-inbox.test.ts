import assert from 'node:assert/strict'
import { test } from 'node:test'
import { voidCard } from '#flows/gift-cards/void-card.ts'
import { ERASED_PIN } from '#modules/deliveries/messages/render.ts'
import { parsePin } from '#modules/gift-cards/pin.ts'
import { parseCardIdentifier } from '#modules/gift-cards/rules.ts'
import { markSent } from '#test/deliveries.ts'
import { call, startService, type TestPartner } from '#test/service.ts'

const service = await startService({ logLevel: 'trace' })
const hanbit = await service.addPartner({ name: '한빛페이 <b>' })
const moa = await service.addPartner({ name: '모아은행 🎁' })

async function buy(phoneNumber: string, partner: TestPartner = hanbit): Promise<string> {
  const answer = await partner.buy({ phoneNumber, amount: 50_000 })
  assert.equal(answer.status, 200)
  return answer.body.data.giftId
}

const json = (query = '') => call(`${service.url}/dev/inbox.json${query}`)
const page = (query = '') => call(`${service.url}/dev/inbox${query}`)

test('what is not sent yet is not there; what is, is there newest first', async () => {
  const first = await buy('010-1111-0001')
  assert.deepEqual((await json('?to=01011110001')).body, [])
  await markSent(service, first, { channel: 'text', status: 'accepted', secondsAgo: 10 })
  await markSent(service, first, { channel: 'alimtalk', secondsAgo: 20 })
  const second = await buy('010-1111-0001', moa)
  await markSent(service, second, { channel: 'alimtalk', status: 'failed', secondsAgo: 5 })

  const { status, headers, body } = await json('?to=01011110001')
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  const brief = body.map((message: Record<string, string>) => [
    message.channel,
    message.to,
    message.giftId,
    message.status,
  ])
  assert.deepEqual(brief, [
    ['alimtalk', '01011110001', second, 'failed'],
    ['text', '01011110001', first, 'accepted'],
    ['alimtalk', '01011110001', first, 'delivered'],
  ])
  for (const message of body) {
    assert.deepEqual(Object.keys(message), ['channel', 'to', 'body', 'giftId', 'sentAt', 'status'])
    assert.match(message.sentAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  }
  assert.match(body[0].body, /모아은행에서 금·은 상품권을 선물했어요/)
  assert.match(body[1].body, /한빛페이 <b>에서 금·은 상품권을 선물했어요/)
})

test("the PIN is the card's own, until it is erased", async () => {
  const giftId = await buy('010-1111-0002')
  await markSent(service, giftId)
  const before = (await json('?to=01011110002')).body
  const pins = before.map(({ body }: { body: string }) => /PIN 번호: (\S{19})\n/.exec(body)?.[1])
  assert.ok(pins[0] && parsePin(pins[0]), 'a PIN as people type it')
  assert.equal(pins[0], pins[1])
  assert.ok((await page('?to=01011110002')).text.includes(pins[0]))

  const card = parseCardIdentifier(giftId)!
  await voidCard(service.database, { card, reason: 'test', actor: 'test', approvalFrom: 1_000_000_000n })
  const after = await json('?to=01011110002')
  assert.equal(after.body.length, 2)
  for (const { body } of after.body) assert.ok(body.includes(`PIN 번호: ${ERASED_PIN.ko}\n`))
  assert.ok(!after.text.includes(pins[0]))
  assert.ok(service.log.length > 0 && !service.log.join().includes(pins[0]))
})

test('a partner has its messages in its own words', async () => {
  const partner = await service.addPartner({ name: 'Hanbit' })
  await service.database.pool.query(
    `update partner set sender_name = '한빛 선물', message_language = 'en' where id = $1`,
    [partner.partner.id],
  )
  await markSent(service, await buy('010-1111-0003', partner))
  for (const { body } of (await json('?to=01011110003')).body) {
    assert.match(body, /한빛 선물 has given you a gold and silver gift card\./)
    assert.match(body, /Amount: KRW 50,000\n/)
  }
})

test('a message that is sent again says the same; a reminder says what it is for', async () => {
  const giftId = await buy('010-1111-0004')
  await markSent(service, giftId)
  await service.database.pool.query(
    `insert into delivery (card_id, channel, purpose, created_at, status, attempt, text_version, sent_at)
     select $1, 'text', purpose, service_now(), 'queued', 1, 2, service_now() + interval '1 second'
       from unnest(array['resend', 'reminder']) as purpose`,
    [giftId],
  )
  const [reminder, again, ...gift] = (await json('?to=01011110004')).body
  assert.match(reminder.body, /아직 등록되지 않았고/)
  assert.equal(again.body, gift.find(({ channel }: { channel: string }) => channel === 'text').body)
})

const NUMBERS: [query: string, status: number][] = [
  ['?to=010-1111-0001', 200],
  ['?to=%2B82%2010-1111-0001', 200],
  ['?to=+821011110001', 200],
  ['?to=1', 400],
  ['?to=', 400],
  ['?to=02-123-4567', 400],
  ['?to=01011110001&to=01011110002', 400],
  ["?to='or''='", 400],
]
for (const [query, status] of NUMBERS) {
  test(`${query}: ${status}`, async () => {
    const answer = await json(query)
    assert.equal(answer.status, status)
    if (status === 200) assert.equal(answer.body.length, 3)
    else assert.equal(answer.text, '{"error":"Invalid request"}')
    const expected = query === '?to=' ? 200 : status
    assert.equal((await page(query)).status, expected, 'an empty field of the form asks for everything')
  })
}

test('what is wrong is said where problems are asked for', async () => {
  const headers = { accept: 'application/problem+json' }
  const { body } = await call(`${service.url}/dev/inbox.json?to=1`, { headers })
  assert.deepEqual(body.errors, [{ parameter: 'to', detail: 'must be a Korean mobile number' }])
})

test('answers are kept nowhere, told to nobody and framed by nobody', async () => {
  for (const answer of [await json(), await page(), await json('?to=1'), await page('?to=1')]) {
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(answer.headers.get('x-robots-tag'), 'noindex')
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    const policy = answer.headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; .*form-action 'self'.*frame-ancestors 'none'$/)
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
  }
})

test('the page: what comes from others is text', async () => {
  const { text, headers } = await page('?to=%22%3E%3Ci%3E')
  assert.match(headers.get('content-type') ?? '', /^text\/html/)
  assert.ok(!text.includes('<i>') && text.includes('&quot;&gt;&lt;i&gt;'))
  assert.ok(!(await page('?to=01011110001')).text.includes('<b>'))
})

test('the newest hundred, all recipients together', async () => {
  const giftIds = await Promise.all(
    Array.from({ length: 55 }, (_, i) => buy(`010-2222-${String(i).padStart(4, '0')}`)),
  )
  for (const [i, giftId] of giftIds.entries()) await markSent(service, giftId, { secondsAgo: 1_000 - i })
  const { body } = await json()
  assert.equal(body.length, 100)
  const moments = body.map(({ sentAt }: { sentAt: string }) => sentAt)
  assert.deepEqual(moments, moments.toSorted().toReversed())
  assert.match((await page('?lang=en')).text, /The newest 100 messages/)
})

test('a database that is away: a page to people, the plain refusal to programs', async () => {
  const client = await service.database.pool.connect()
  try {
    await client.query('begin')
    await client.query('lock table delivery in access exclusive mode')
    const [forPeople, forPrograms] = await Promise.all([page('?lang=en'), json()])
    assert.deepEqual([forPeople.status, forPrograms.status], [503, 503])
    assert.equal(forPrograms.text, '{"error":"Service unavailable"}')
    assert.match(forPeople.text, /Please try again shortly/)
    for (const { headers } of [forPeople, forPrograms]) assert.equal(headers.get('retry-after'), '1')
  } finally {
    await client.query('rollback')
    client.release()
  }
  assert.equal((await page()).status, 200)
})

test('GET only', async () => {
  assert.equal((await call(`${service.url}/dev/inbox.json`, { method: 'POST' })).status, 405)
  assert.equal((await call(`${service.url}/dev/inbox`, { method: 'DELETE' })).status, 405)
})
