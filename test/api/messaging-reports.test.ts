import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessagingProvider, Report } from '#providers/messaging/port.ts'
import {
  alimtalk,
  brief,
  HOOK_SECRET,
  magic,
  type Post,
  startNhn,
  startReceiver,
  startSolapi,
  text,
} from '#test/messaging.ts'

const providers = { solapi: startSolapi, nhn: startNhn }

function reportsIn(provider: MessagingProvider, posts: readonly Post[]): Report[] {
  return posts.flatMap(({ headers, raw }) => {
    assert.ok(provider.hook!.isAuthentic(headers))
    return provider.hook!.read(JSON.parse(raw.toString())) ?? []
  })
}

for (const [name, start] of Object.entries(providers)) {
  test(`${name}: reports come late, by the batch, twice and out of order`, async () => {
    await using receiver = await startReceiver()
    const reports = { url: receiver.url, secret: HOOK_SECRET, maxPerPost: 2, twice: true, outOfOrder: true }
    await using one = await start({ reports })
    const batch = [text('a'), text('b', magic('3032')), text('c', magic('4000')), text('d')]
    const outcomes = await one.provider.send(batch)
    await one.standIn.reports.idle()
    const seen = reportsIn(one.provider, receiver.posts)
    const said = (key: string) =>
      seen.filter((report) => report.key === key).map(({ outcome }) => brief(outcome))
    assert.deepEqual(said('a'), ['delivered', 'delivered', 'accepted'])
    assert.deepEqual(said('b'), ['failed bad_number', 'failed bad_number', 'accepted'])
    assert.deepEqual(said('c'), [], 'only asking finds it')
    assert.ok(receiver.posts.length >= 6)
    const first = seen.find((report) => report.key === 'a')!
    assert.equal(first.attempt, 1)
    assert.ok('messageId' in outcomes[0]!)
    assert.equal(first.outcome.messageId, outcomes[0].messageId)
  })

  test(`${name}: a report can overtake the answer`, async () => {
    await using receiver = await startReceiver()
    await using one = await start({ reports: { url: receiver.url, secret: HOOK_SECRET, beforeAnswer: true } })
    const sending = one.provider.send([alimtalk('a', magic('3104'), 7)])
    while (receiver.posts.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const [report] = reportsIn(one.provider, receiver.posts)
    assert.deepEqual(
      [report!.key, report!.attempt, brief(report!.outcome)],
      ['a', 7, 'failed not_a_messenger_user'],
    )
    assert.deepEqual((await sending).map(brief), ['accepted'])
  })

  test(`${name}: no report is believed without the secret`, async () => {
    await using one = await start()
    const header = name === 'nhn' ? 'x-toast-webhook-signature' : 'x-solapi-secret'
    const { hook } = one.provider
    for (const forged of [undefined, '', 'wrong', `${HOOK_SECRET} `, [HOOK_SECRET]]) {
      assert.equal(hook!.isAuthentic({ [header]: forged }), false)
    }
    assert.equal(hook!.isAuthentic({ [header]: HOOK_SECRET }), true)
    await using none = await start({}, { webhookSecret: undefined })
    assert.equal(none.provider.hook, undefined)
  })
}

test('solapi: garbage is no report, and foreign messages are passed over', async () => {
  await using solapi = await startSolapi()
  const { read } = solapi.provider.hook!
  for (const garbage of [null, undefined, 1, 'text', {}, { customFields: {} }])
    assert.equal(read(garbage), undefined)
  const foreign = [
    null,
    7,
    [],
    {},
    { messageId: 'M', statusCode: '4000' },
    { statusCode: '4000', customFields: null },
    { statusCode: '4000', customFields: { key: 'k' } },
    { statusCode: '4000', customFields: { key: 'k', attempt: '0' } },
    { statusCode: '4000', customFields: { key: 'k', attempt: '1e3' } },
    { statusCode: null, customFields: { key: 'k', attempt: '1' } },
  ]
  assert.deepEqual(read(foreign), [])
  assert.deepEqual(read([{ statusCode: '4000', customFields: { key: 'k', attempt: '1' } }]), [
    { key: 'k', attempt: 1, outcome: { kind: 'delivered', messageId: null } },
  ])
})

test('nhn: garbage is no report, foreign messages and other events are passed over', async () => {
  await using nhn = await startNhn()
  const { read } = nhn.provider.hook!
  for (const garbage of [null, [], 'text', {}, { event: 'MESSAGE_RESULT_UPDATE' }, { event: 1, hooks: [] }]) {
    assert.equal(read(garbage), undefined)
  }
  assert.deepEqual(read({ event: 'UNSUBSCRIBE', hooks: [{ recipientGroupingKey: 'k:1' }] }), [])
  const hooks = [
    null,
    {},
    { recipientGroupingKey: 'k' },
    { recipientGroupingKey: ':1' },
    { recipientGroupingKey: 'k:0' },
  ]
  assert.deepEqual(read({ event: 'MESSAGE_RESULT_UPDATE', hooks }), [])
})

// Every code that is not success ends a message: what it ends as, and whether trying again can help.
const codes = `
  solapi 2000 accepted
  solapi 3000 accepted
  solapi 4000 delivered
  solapi 1060 failed blocked_by_recipient
  solapi 1999 failed rejected
  solapi 2230 failed rejected retryable
  solapi 2254 failed filtered_as_spam
  solapi 3010 failed bad_number
  solapi 3040 failed expired_at_the_carrier retryable
  solapi 3047 failed blocked_by_recipient
  solapi 3103 failed rejected
  solapi 3999 failed carrier_failed
  nhn    1000 delivered
  nhn    MRC01 delivered
  nhn    3018 failed not_a_messenger_user
  nhn    3005 failed expired_at_the_carrier
  nhn    3016 failed rejected
  nhn    9999 failed carrier_failed retryable
  nhn    7777 failed rejected`
for (const line of codes.trim().split('\n')) {
  const [name, code, ...expected] = line.trim().split(/\s+/) as [keyof typeof providers, string, ...string[]]
  test(`${name} reports ${code}: ${expected.join(' ')}`, async () => {
    await using one = await providers[name]()
    const body =
      name === 'solapi'
        ? [{ statusCode: code, customFields: { key: 'k', attempt: '1' } }]
        : {
            event: 'MESSAGE_RESULT_UPDATE',
            hooks: [{ kakaoMessageType: 'ALIMTALK_NORMAL', resultCode: code, recipientGroupingKey: 'k:1' }],
          }
    assert.deepEqual(
      one.provider.hook!.read(body)!.map(({ outcome }) => brief(outcome)),
      [expected.join(' ')],
    )
  })
}
