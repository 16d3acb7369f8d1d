import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { Secret } from '#base/crypto/secret.ts'
import type { OutgoingMessage } from '#providers/messaging/port.ts'
import { assertHides } from '#test/hidden.ts'
import { alimtalk, ask, brief, IMPATIENT, listAll, magic, PIN, startSolapi, text } from '#test/messaging.ts'

// What each number does to a first attempt, then what asking about it finds; the same for the text.
const numbers = `
  1234  accepted                       delivered                                   delivered
  3104  accepted                       failed not_a_messenger_user                 delivered
  3107  accepted                       failed blocked_by_recipient                 delivered
  3032  accepted                       failed bad_number                           failed bad_number
  3043  accepted                       failed phone_unreachable retryable          failed phone_unreachable retryable
  3054  accepted                       delivered                                   failed filtered_as_spam
  1030  refused no_balance retryable   absent                                      absent
  4000  accepted                       delivered                                   delivered
  4290  refused rate_limited retryable absent                                      absent
  5000  unknown server_error           absent                                      absent
  5001  unknown server_error           delivered                                   delivered
  5002  unknown connection_lost        absent                                      absent
  5003  unknown connection_lost        delivered                                   delivered
  5004  unknown timeout                delivered                                   delivered
  5005  accepted                       delivered                                   delivered`
for (const line of numbers.trim().split('\n')) {
  const [digits, sending, asAlimtalk, asText] = line.trim().split(/ {2,}| (?=absent)/) as [
    string,
    string,
    string,
    string,
  ]
  test(`010-0000-${digits}: ${sending}, then ${asAlimtalk} and ${asText}`, async () => {
    await using solapi = await startSolapi({ slowMs: 50 }, digits === '5004' ? IMPATIENT : {})
    for (const [message, expected] of [
      [alimtalk('a', magic(digits)), asAlimtalk],
      [text('t', magic(digits)), asText],
    ] as const) {
      const [word] = await solapi.provider.send([message])
      assert.equal(brief(word), sending)
      const [found] = await solapi.provider.find([ask(message, word)])
      assert.equal(brief(found), expected)
      const [byNumber] = await solapi.provider.find([ask(message)])
      assert.equal(brief(byNumber), expected, 'asked without its id')
    }
  })
}

test('a phone that was off is reached by the second attempt, and nobody twice', async () => {
  await using solapi = await startSolapi()
  await solapi.provider.send([text('t', magic('3043'), 1)])
  const again = text('t', magic('3043'), 2)
  const [word] = await solapi.provider.send([again])
  assert.deepEqual((await solapi.provider.find([ask(again, word)])).map(brief), ['delivered'])
  assert.equal(solapi.standIn.phones.reached('t'), 1)
  assert.deepEqual(solapi.standIn.phones.doubled, [])
})

type Change = (message: OutgoingMessage) => OutgoingMessage
const withContent =
  (content: object): Change =>
  (message) => ({ ...message, content: { ...message.content, ...content } as OutgoingMessage['content'] })
const rules: [string, OutgoingMessage, Change, string][] = [
  [
    'an unknown template',
    alimtalk('k'),
    withContent({ templateIds: { solapi: 'KA99' } }),
    'refused no_template',
  ],
  ['no template with this provider', alimtalk('k'), withContent({ templateIds: {} }), 'refused no_template'],
  [
    'a variable too few',
    alimtalk('k'),
    withContent({ variables: { PIN: '1' } }),
    'refused template_mismatch',
  ],
  [
    'a variable too many',
    alimtalk('k'),
    withContent({ variables: { PIN: '1', NAME: 'a', X: '' } }),
    'refused template_mismatch',
  ],
  [
    'over 1,000 characters',
    alimtalk('k'),
    withContent({ variables: { PIN: '1'.repeat(990), NAME: 'a' } }),
    'refused too_long',
  ],
  ['2,000 bytes', text('k'), withContent({ text: '금'.repeat(1_000) }), 'accepted'],
  ['2,001 bytes', text('k'), withContent({ text: `${'금'.repeat(1_000)}!` }), 'refused too_long'],
  ['a subject of 41 bytes', text('k'), withContent({ subject: `${'금'.repeat(20)}!` }), 'refused too_long'],
  ['a character no phone knows', text('k'), withContent({ text: '🎁' }), 'refused bad_request'],
  ['a key that is too long', text('k'.repeat(101)), (message) => message, 'refused bad_request'],
  ['a number abroad', text('k', '+14155550100'), (message) => message, 'refused bad_request'],
]
for (const [name, message, change, expected] of rules) {
  test(`rule: ${name}: ${expected}`, async () => {
    await using solapi = await startSolapi()
    assert.equal(brief((await solapi.provider.send([change(message)]))[0]), expected)
  })
}

test('a sender or a channel that is not registered is refused, and not again', async () => {
  await using one = await startSolapi({}, { sender: '0299999999' })
  assert.deepEqual((await one.provider.send([text('a')])).map(brief), ['refused sender_not_registered'])
  await using other = await startSolapi({}, { channelId: 'KA99PF' })
  assert.deepEqual((await other.provider.send([alimtalk('a')])).map(brief), ['refused sender_not_registered'])
})

test('a mixed batch: a word for each message, in order, and one number twice is not mixed up', async () => {
  await using solapi = await startSolapi()
  const batch = [
    alimtalk('first'),
    alimtalk('broke', magic('1030')),
    alimtalk('abroad', '+14155550100'),
    alimtalk('second'),
    withContent({ variables: {} })(alimtalk('wrong')),
  ]
  const words = await solapi.provider.send(batch)
  assert.deepEqual(words.map(brief), [
    'accepted',
    'refused no_balance retryable',
    'refused bad_request',
    'accepted',
    'refused template_mismatch',
  ])
  const { phones } = solapi.standIn
  for (const [index, key] of [[0, 'first'] as const, [3, 'second'] as const]) {
    const word = words[index]!
    assert.equal('messageId' in word && word.messageId, phones.byKey(key)[0]!.messageId)
  }
})

test('without our fields in the answer, only what nobody else can be is believed', async () => {
  await using solapi = await startSolapi({ answersWithoutFields: true })
  assert.deepEqual((await solapi.provider.send([text('alone')])).map(brief), ['accepted'])
  const words = await solapi.provider.send([text('a'), text('b'), text('c', magic('1030'))])
  assert.deepEqual(words.map(brief), [
    'unknown not_mentioned',
    'unknown not_mentioned',
    'refused no_balance retryable',
  ])
})

test('a message that is mentioned nowhere is in doubt, and found by asking', async () => {
  await using solapi = await startSolapi({ forgetsToMention: (key) => key === 'b' })
  const batch = [text('a'), text('b')]
  const words = await solapi.provider.send(batch)
  assert.deepEqual(words.map(brief), ['accepted', 'unknown not_mentioned'])
  assert.deepEqual((await solapi.provider.find(batch.map((one) => ask(one)))).map(brief), [
    'delivered',
    'delivered',
  ])
})

test('a call refused as a whole is halved until the rest goes through', async () => {
  await using solapi = await startSolapi({ maxBatch: 3 })
  const batch = Array.from({ length: 10 }, (_, index) => text(`k${index}`))
  assert.ok((await solapi.provider.send(batch)).every((word) => word.kind === 'accepted'))
  assert.equal(solapi.standIn.phones.all.length, 10)
  await using hopeless = await startSolapi({ maxBatch: 0 })
  const words = await hopeless.provider.send(Array.from({ length: 100 }, (_, index) => text(`k${index}`)))
  assert.ok(words.every((word) => word.kind === 'refused' && word.reason === 'bad_request'))
  assert.equal(hopeless.standIn.counts.sends, 40)
})

test('a wrong key, a wrong secret: refused as unauthorized', async () => {
  await using one = await startSolapi({}, { apiSecret: new Secret('another') })
  assert.deepEqual((await one.provider.send([text('a')])).map(brief), ['refused unauthorized retryable'])
  assert.deepEqual((await one.provider.find([ask(text('a'))])).map(brief), ['unknown answer_unreadable'])
  await using other = await startSolapi({}, { apiKey: 'ANOTHER' })
  assert.deepEqual((await other.provider.send([text('a')])).map(brief), ['refused unauthorized retryable'])
})

test('the stand-in refuses signatures that are wrong, old, short of salt or used before', async () => {
  await using solapi = await startSolapi()
  const call = async (date: string, salt: string, secret = 'solapi secret') => {
    const signature = createHmac('sha256', secret).update(`${date}${salt}`).digest('hex')
    const authorization = `HMAC-SHA256 apiKey=NCSAYU7YDBXYORXC, date=${date}, salt=${salt}, signature=${signature}`
    const answer = await fetch(`${solapi.standIn.url}/messages/v4/list`, { headers: { authorization } })
    return answer.ok ? 'ok' : ((await answer.json()) as { errorCode: string }).errorCode
  }
  const now = new Date().toISOString()
  const salt = 'a'.repeat(12)
  assert.equal(await call(now, salt), 'ok')
  assert.equal(await call(now, salt), 'DuplicatedSignature')
  assert.equal(await call(now, 'b'.repeat(11)), 'InvalidSignatureSalt')
  assert.equal(await call(now, 'b'.repeat(65)), 'InvalidSignatureSalt')
  assert.equal(await call(now, 'c'.repeat(12), 'wrong'), 'SignatureDoesNotMatch')
  assert.equal(await call(new Date(Date.now() - 901_000).toISOString(), salt), 'RequestTimeTooSkewed')
  assert.equal(await call(new Date(Date.now() + 901_000).toISOString(), salt), 'RequestTimeTooSkewed')
  assert.equal(await call('yesterday', salt), 'RequestTimeTooSkewed')
})

test('asking: under way, by page, by the hundred, and when nobody answers', async () => {
  await using solapi = await startSolapi({ deliveryMs: 60_000 })
  const batch = Array.from({ length: 500 }, (_, index) => text(`k${index}`))
  const words = await solapi.provider.send(batch)
  const more = Array.from({ length: 500 }, (_, index) => text(`m${index}`))
  await solapi.provider.send(more)
  const last = more.at(-1)!
  assert.deepEqual((await solapi.provider.find([ask(last), ask(text('never'))])).map(brief), [
    'accepted',
    'absent',
  ])
  assert.equal(solapi.standIn.counts.finds, 2, 'two pages, and one question for one number')
  const found = await solapi.provider.find(batch.map((one, index) => ask(one, words[index])))
  assert.ok(found.every((word) => word.kind === 'accepted'))
  assert.equal(solapi.standIn.counts.finds, 12)
  for (const hours of [-24, 24]) {
    const then = { ...ask(last), sentAt: Temporal.Now.instant().add({ hours }) }
    assert.deepEqual((await solapi.provider.find([then])).map(brief), ['absent'], 'at another time')
  }
  await solapi.standIn.close()
  const after = await solapi.provider.find([ask(batch[0]!, words[0]), ask(last)])
  assert.ok(after.every((word) => word.kind === 'unknown'))
})

test('whatever goes wrong, no word and no measurement holds a number, a text or a secret', async () => {
  await using solapi = await startSolapi({}, IMPATIENT)
  const seen: unknown[] = [solapi.watch.lines]
  const numbers = ['3104', '1030', '5000', '5001', '5003', '5004'].map(magic)
  for (const number of numbers) {
    const message = text('k', number)
    const words = await solapi.provider.send([message])
    seen.push(words, await solapi.provider.find([ask(message, words[0])]))
  }
  const secrets = [...numbers.map((number) => number.slice(3)), PIN, '상품권', 'solapi secret']
  assertHides(JSON.stringify(seen), secrets)
})

test('the list of a time: page by page, only what is ours', async () => {
  await using solapi = await startSolapi()
  const atMs = Date.now() - 60_000
  for (let i = 0; i < 501; i++) {
    const [messageId, key] = [`M${String(i).padStart(4, '0')}`, i === 7 ? '' : `k${i}`]
    const sent = { messageId, groupId: 'G', sequence: i + 1, to: '01012345678', key, attempt: 3, text: 'PIN' }
    solapi.standIn.phones.add({ ...sent, channel: i === 0 ? 'text' : 'alimtalk', atMs, failure: undefined })
  }
  const window = {
    from: Temporal.Instant.fromEpochMilliseconds(atMs - 1_000),
    until: Temporal.Instant.fromEpochMilliseconds(atMs + 1_000),
  }
  const found = await listAll((cursor) => solapi.provider.list(window, cursor))
  assert.equal(new Set(found.map(({ key }) => key)).size, 500)
  const [first] = found
  assert.deepEqual(
    { ...first, sentAt: first!.sentAt.epochMilliseconds },
    {
      key: 'k0',
      attempt: 3,
      channel: 'text',
      to: '01012345678',
      messageId: 'M0000',
      sentAt: atMs,
      delivered: true,
    },
  )
  solapi.standIn.answerQuestions(false)
  assert.deepEqual(await solapi.provider.list(window, null), { kind: 'unknown', reason: 'server_error' })
})
