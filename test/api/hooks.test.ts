import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { LIVE_MESSAGING } from '#test/deliveries.ts'
import { deliveriesOf, startMessaged } from '#test/messaged-service.ts'
import { until } from '#test/patience.ts'
import { call } from '#test/service.ts'

// Nobody reports but this test.
const { service, solapi } = await startMessaged({
  reports: false,
  nhn: false,
  providerTimeouts: { pollAfterMs: 60_000, retryAfterMs: 60_000 },
})
const partner = await service.addPartner()
const SECRET = createHash('sha1').update(LIVE_MESSAGING.SOLAPI_WEBHOOK_SECRET).digest('hex')

function post(body: unknown, headers: Record<string, string> = { 'x-solapi-secret': SECRET }) {
  return call(`${service.url}/hooks/solapi`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-solapi-event-name': 'SINGLE-REPORT', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

async function bought(): Promise<string> {
  const { giftId } = (await partner.buy({ phoneNumber: '010-2222-3333', amount: 1_000 })).body.data
  await until(async () => (await deliveriesOf(partner, giftId)).every(({ status }) => status === 'accepted'))
  return giftId
}

function report(giftId: string, statusCode: string, channel = 'text') {
  const sent = solapi.phones.byKey(`${giftId}.${channel}.gift.0`)[0]!
  return {
    messageId: sent.messageId,
    groupId: sent.groupId,
    type: channel === 'text' ? 'LMS' : 'ATA',
    to: sent.to,
    statusCode,
    customFields: { key: sent.key, attempt: String(sent.attempt) },
  }
}

const stateOf = async (giftId: string, channel = 'text') => {
  const delivery = (await deliveriesOf(partner, giftId)).find((one) => one.channel === channel)!
  return `${delivery.status} ${delivery.reason} ${delivery.events.length}`
}

test('a report is written down before it is answered; again it changes nothing; a late one does not go back', async () => {
  const giftId = await bought()
  assert.deepEqual((await post([report(giftId, '3000')])).status, 200)
  assert.equal(await stateOf(giftId), 'accepted null 2')
  const answer = await post([report(giftId, '4000'), report(giftId, '3104', 'alimtalk')])
  assert.deepEqual([answer.status, answer.body], [200, { result: 'ok' }])
  assert.equal(await stateOf(giftId), 'delivered null 3')
  assert.equal(await stateOf(giftId, 'alimtalk'), 'failed not_a_messenger_user 3')
  const late = [report(giftId, '3000'), report(giftId, '4000'), report(giftId, '4000')]
  const all = await Promise.all([post(late), post(late), post([report(giftId, '3104', 'alimtalk')])])
  assert.deepEqual(
    all.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal(await stateOf(giftId), 'delivered null 3')
  assert.equal(await stateOf(giftId, 'alimtalk'), 'failed not_a_messenger_user 3')
})

const FORGED: [what: string, headers: Record<string, string>][] = [
  ['without a secret', {}],
  ['with another secret', { 'x-solapi-secret': createHash('sha1').update('guess').digest('hex') }],
  ['with an empty secret', { 'x-solapi-secret': '' }],
  ['with a partner’s key', { authorization: `Bearer ${partner.key}` }],
]
for (const [what, headers] of FORGED) {
  test(`forged, ${what}: 401 and nothing changes`, async () => {
    const giftId = await bought()
    assert.equal((await post([report(giftId, '4000')], headers)).status, 401)
    assert.equal(await stateOf(giftId), 'accepted null 2')
  })
}

const STRANGE: [what: string, body: unknown, status: number][] = [
  ['no JSON', '{"', 400],
  ['no list', { a: 1 }, 400],
  ['nothing', '', 400],
  ['an empty list', [], 200],
  ['a message that is not ours', [{ messageId: 'M', statusCode: '4000', to: '01022223333' }], 200],
  [
    'a key of ours that there is not',
    [
      {
        statusCode: '4000',
        customFields: { key: '019a8b1e-5b6c-7f04-8c11-0b9d8e7f6a55.text.gift.0', attempt: '1' },
      },
    ],
    200,
  ],
  [
    'a key that is none',
    [{ statusCode: '4000', customFields: { key: "'; drop table delivery", attempt: '1' } }],
    200,
  ],
  ['fields of other kinds', [{ statusCode: 4000, customFields: 7 }, null, 3, 'x', []], 200],
]
for (const [what, body, status] of STRANGE) {
  test(`strange: ${what}: ${status}`, async () => assert.equal((await post(body)).status, status))
}

test('a thousand reports in one call', async () => {
  const giftId = await bought()
  const many = Array.from({ length: 1_000 }, () => report(giftId, '4000'))
  assert.equal((await post(many)).status, 200)
  assert.equal(await stateOf(giftId), 'delivered null 3')
})

test('only where there is a provider, and only by POST', async () => {
  assert.equal((await call(`${service.url}/hooks/solapi`)).status, 405)
  assert.equal((await call(`${service.url}/hooks/nhn`, { method: 'POST' })).status, 404)
  assert.equal((await call(`${service.url}/hooks/simulated`, { method: 'POST' })).status, 404)
})

test('a phone that is off is not counted as a message that nobody takes', async () => {
  const giftId = await bought()
  assert.equal((await post([report(giftId, '3043')])).status, 200)
  assert.equal(await stateOf(giftId), 'queued phone_unreachable 3')
  const { text } = await call(`${service.url}/metrics`)
  assert.match(text, /ingot_deliveries_open\{channel="text",status="retrying"\} 1/)
  assert.doesNotMatch(text, /ingot_deliveries_open\{channel="text",status="queued"\} [1-9]/)
})

test('what providers post is counted', async () => {
  const { text } = await call(`${service.url}/metrics`)
  assert.match(text, /ingot_delivery_reports_total\{provider="solapi",outcome="forged"\} 4/)
  assert.match(text, /ingot_delivery_reports_total\{provider="solapi",outcome="unreadable"\} 3/)
  assert.match(
    text,
    /ingot_deliveries_total\{provider="solapi",channel="text",status="delivered",reason=""\} \d/,
  )
  assert.match(
    text,
    /ingot_deliveries_total\{provider="solapi",channel="alimtalk",status="failed",reason="not_a_messenger_user"\} 1/,
  )
  assert.match(text, /ingot_deliveries_open\{channel="text",status="accepted"\} \d/)
  assert.match(text, /ingot_delivery_overdue_seconds\{channel="text",status="accepted"\} 0/)
  assert.match(
    text,
    /ingot_provider_request_seconds_count\{provider="solapi",call="send",outcome="status_200"\} \d/,
  )
})
