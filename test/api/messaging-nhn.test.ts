import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '#base/crypto/secret.ts'
import { alimtalk, ask, brief, IMPATIENT, listAll, magic, startNhn, text } from '#test/messaging.ts'

// What each number does to a first attempt, then what asking about it finds; the same for the text.
const numbers: [string, string, string, string][] = [
  ['1234', 'accepted', 'delivered', 'delivered'],
  ['3104', 'accepted', 'failed not_a_messenger_user', 'delivered'],
  ['3107', 'accepted', 'failed blocked_by_recipient', 'delivered'],
  ['3032', 'accepted', 'failed bad_number', 'failed bad_number'],
  ['3043', 'accepted', 'failed carrier_failed retryable', 'failed phone_unreachable retryable'],
  ['3054', 'accepted', 'delivered', 'failed filtered_as_spam'],
  ['1030', 'accepted', 'delivered', 'delivered'],
  ['4000', 'accepted', 'delivered', 'delivered'],
  ['4290', 'refused rate_limited retryable', 'absent', 'absent'],
  ['5000', 'unknown server_error', 'absent', 'absent'],
  ['5001', 'unknown server_error', 'delivered', 'delivered'],
  ['5002', 'unknown connection_lost', 'absent', 'absent'],
  ['5003', 'unknown connection_lost', 'delivered', 'delivered'],
  ['5004', 'unknown timeout', 'delivered', 'delivered'],
  ['5005', 'accepted', 'delivered', 'delivered'],
]
for (const [digits, sending, asAlimtalk, asText] of numbers) {
  test(`010-0000-${digits}: ${sending}, then ${asAlimtalk} and ${asText}`, async () => {
    await using nhn = await startNhn({ slowMs: 50 }, digits === '5004' ? IMPATIENT : {})
    for (const [message, expected] of [
      [alimtalk('a', magic(digits)), asAlimtalk],
      [text('t', magic(digits)), asText],
    ] as const) {
      const [word] = await nhn.provider.send([message])
      assert.equal(brief(word), sending)
      assert.deepEqual((await nhn.provider.find([ask(message, word)])).map(brief), [expected])
      assert.deepEqual(
        (await nhn.provider.find([ask(message)])).map(brief),
        [expected],
        'asked without its id',
      )
    }
  })
}

test('a batch is one request for each template, and one number twice is not mixed up', async () => {
  await using nhn = await startNhn({ templates: { KA01: '#{NAME} #{PIN}', KA02: '#{PIN}' } })
  const other = alimtalk('other')
  assert.ok(other.content.channel === 'alimtalk')
  const batch = [
    alimtalk('first'),
    { ...other, content: { ...other.content, templateIds: { nhn: 'KA02' }, variables: { PIN: '1' } } },
    alimtalk('second'),
    { ...alimtalk('mismatch'), content: { ...other.content, variables: {} } },
    { ...alimtalk('unknown'), content: { ...other.content, templateIds: { nhn: 'KA99' } } },
    { ...alimtalk('none'), content: { ...other.content, templateIds: { solapi: 'KA01' } } },
    alimtalk('abroad', '+14155550100'),
  ]
  const words = await nhn.provider.send(batch)
  assert.deepEqual(words.map(brief), [
    'accepted',
    'accepted',
    'accepted',
    'refused template_mismatch',
    'refused no_template',
    'refused no_template',
    'refused bad_request',
  ])
  assert.equal(nhn.standIn.counts.sends, 3)
  for (const [index, key] of [[0, 'first'] as const, [1, 'other'] as const, [2, 'second'] as const]) {
    const word = words[index]!
    assert.equal('messageId' in word && word.messageId, nhn.standIn.phones.byKey(key)[0]!.messageId)
  }
  const found = await nhn.provider.find([0, 1, 2].map((index) => ask(batch[index]!, words[index])))
  assert.deepEqual(found.map(brief), ['delivered', 'delivered', 'delivered'])
  assert.equal(nhn.standIn.counts.finds, 2, 'one question for each request')
})

test('texts differ, so each is a request of its own', async () => {
  await using nhn = await startNhn()
  const batch = Array.from({ length: 30 }, (_, index) => text(`k${index}`))
  const words = await nhn.provider.send(batch)
  assert.ok(words.every((word) => word.kind === 'accepted'))
  assert.equal(nhn.standIn.counts.sends, 30)
  const asked = [ask(batch.at(-1)!), ask({ ...batch.at(-1)!, attempt: 2 })]
  assert.deepEqual((await nhn.provider.find(asked)).map(brief), ['delivered', 'absent'])
  assert.deepEqual(nhn.standIn.phones.doubled, [])
})

test('the same batch within ten minutes is in doubt, never sent twice; another attempt is another batch', async () => {
  await using nhn = await startNhn()
  const message = alimtalk('a', magic('5001'))
  assert.deepEqual((await nhn.provider.send([message])).map(brief), ['unknown server_error'])
  assert.deepEqual((await nhn.provider.send([message])).map(brief), ['unknown not_mentioned'])
  assert.equal(nhn.standIn.phones.reached('a'), 1)
  assert.deepEqual((await nhn.provider.send([alimtalk('a', magic('5001'), 2)])).map(brief), ['accepted'])
})

const rules = [
  ['secret', 'alimtalk', 'refused unauthorized retryable'],
  ['secret', 'text', 'refused unauthorized retryable'],
  ['app', 'alimtalk', 'refused unauthorized retryable'],
  ['app', 'text', 'refused unauthorized retryable'],
  ['sender', 'alimtalk', 'refused sender_not_registered'],
  ['sender', 'text', 'refused sender_not_registered'],
] as const
for (const [wrong, channel, expected] of rules) {
  test(`rule: a wrong ${wrong}, ${channel}: ${expected}`, async () => {
    await using nhn = await startNhn()
    await using other = await startNhn({}, wrongOptions(nhn.standIn.url, wrong))
    const message = channel === 'alimtalk' ? alimtalk('a') : text('a')
    assert.deepEqual((await other.provider.send([message])).map(brief), [expected])
  })
}

function wrongOptions(url: string, wrong: 'secret' | 'app' | 'sender') {
  const secretKey = new Secret<'nhn'>(wrong === 'secret' ? 'x' : 'nhn secret')
  const [kakao, sms] = wrong === 'app' ? ['x', 'x'] : ['kakao-app', 'sms-app']
  const [senderKey, sender] = wrong === 'sender' ? ['x', '1'] : ['sender-key', '15446859']
  return {
    alimtalk: { url, appKey: kakao!, secretKey, senderKey: senderKey! },
    text: { url, appKey: sms!, secretKey, sender: sender! },
  }
}

test('limits: bytes of a text, characters of a notification, characters no phone knows', async () => {
  await using nhn = await startNhn()
  const long = text('long')
  const gift = { ...text('gift'), content: { channel: 'text', subject: '선물', text: '🎁' } as const }
  const tooLong = {
    ...long,
    content: { channel: 'text', subject: '선물', text: '금'.repeat(1_001) } as const,
  }
  assert.deepEqual((await nhn.provider.send([tooLong, gift])).map(brief), [
    'refused too_long',
    'refused bad_request',
  ])
  const wordy = alimtalk('wordy')
  assert.ok(wordy.content.channel === 'alimtalk')
  const content = { ...wordy.content, variables: { NAME: 'a', PIN: '1'.repeat(1_000) } }
  assert.deepEqual((await nhn.provider.send([{ ...wordy, content }])).map(brief), ['refused too_long'])
})

test('asking: under way, absent, at another time, and when nobody answers', async () => {
  await using nhn = await startNhn({ deliveryMs: 60_000 })
  for (const message of [alimtalk('a'), text('t')]) {
    const [word] = await nhn.provider.send([message])
    const old = { ...ask(message), sentAt: Temporal.Now.instant().subtract({ hours: 24 }) }
    const asked = [ask(message, word), ask(message), ask({ ...message, attempt: 2 })]
    assert.deepEqual((await nhn.provider.find(asked)).map(brief), ['accepted', 'accepted', 'absent'])
    assert.deepEqual((await nhn.provider.find([old])).map(brief), ['absent'])
  }
  await nhn.standIn.close()
  const after = await nhn.provider.find([ask(alimtalk('a')), ask(text('t'))])
  assert.ok(after.every((word) => word.kind === 'unknown'))
})

test('the list of a time: page by page, both products, only what is ours', async () => {
  await using nhn = await startNhn()
  const { phones } = nhn.standIn
  const [now, day] = [Date.now(), 86_400_000]
  const put = (channel: 'alimtalk' | 'text', key: string, atMs: number, sequence: number) =>
    phones.add({
      messageId: `r${atMs}/${sequence}`,
      groupId: `r${atMs}`,
      sequence,
      channel,
      to: '01012345678',
      key,
      attempt: 2,
      text: 'PIN',
      atMs,
      failure: key === 'failed' ? '3104' : undefined,
    })
  for (let i = 0; i < 1_001; i++) put('alimtalk', `a${i}`, now - 2 * day, i + 1)
  put('text', 'early', now - 4 * day, 1)
  put('text', 'failed', now - day, 1)
  put('text', '', now - day, 2)
  const window = {
    from: Temporal.Instant.fromEpochMilliseconds(now - 3 * day),
    until: Temporal.Instant.fromEpochMilliseconds(now),
  }
  const found = await listAll((cursor) => nhn.provider.list(window, cursor))
  assert.equal(new Set(found.map(({ key }) => key)).size, 1_002)
  const first = found.find(({ key }) => key === 'a0')
  assert.deepEqual(
    { ...first, sentAt: Math.trunc(first!.sentAt.epochMilliseconds / 1_000) },
    {
      key: 'a0',
      attempt: 2,
      channel: 'alimtalk',
      to: '01012345678',
      messageId: `r${now - 2 * day}/1`,
      sentAt: Math.trunc((now - 2 * day) / 1_000),
      delivered: true,
    },
  )
  assert.equal(found.find(({ key }) => key === 'failed')?.delivered, false)
  nhn.standIn.answerQuestions(false)
  assert.deepEqual(await nhn.provider.list(window, null), { kind: 'unknown', reason: 'server_error' })
})
