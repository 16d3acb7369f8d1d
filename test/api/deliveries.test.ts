import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { deliveriesOf, settled, startMessaged } from '#test/messaged-service.ts'
import { until } from '#test/patience.ts'
import { BUY } from '#test/service.ts'

const { service, solapi, nhn } = await startMessaged()
const partner = await service.addPartner({ name: '한빛페이' })
// As after an upgrade, with one text registered anew at one provider only: Korean at SOLAPI, English at NHN.
await service.database.pool.query(
  `delete from template_registration where version = 2 and (language = 'en') = (provider = 'solapi')`,
)

async function buy(phoneNumber: string): Promise<string> {
  return (await partner.buy({ phoneNumber, amount: 50_000 })).body.data.giftId
}

// What waits, for another message of its card or after a refusal, is looked at later, up to minutes: here at once.
async function hurry(giftId: string): Promise<void> {
  await service.database.pool.query(
    `with due as (update delivery set due_at = now()
                   where card_id = $1 and status = 'queued' and claimed_until is null and due_at > now()
                  returning id, channel)
     select graphile_worker.add_job('send_deliveries', json_build_object('channel', channel, 'ids', array[id])) from due`,
    [giftId],
  )
}

// Until every message of the card is at its end, with what waits looked at all the while.
function settledSoon(giftId: string): Promise<Awaited<ReturnType<typeof settled>>> {
  return until(async () => {
    await hurry(giftId)
    const deliveries = await deliveriesOf(partner, giftId)
    return deliveries.every(({ settledAt }) => settledAt !== null) && deliveries
  }, 'the messages come to their end')
}

test('both messages arrive, once, with the same words as the card', async () => {
  const giftId = await buy('010-1234-5678')
  const deliveries = await settled(partner, giftId)
  assert.deepEqual(
    deliveries.map((d) => [d.channel, d.status, d.attempts]),
    [
      ['alimtalk', 'delivered', 1],
      ['text', 'delivered', 1],
    ],
  )
  // On a busy machine the report overtakes the answer to the request, and there is nothing to accept.
  for (const { events } of deliveries)
    assert.match(events.map((e) => e.status).join(), /^queued(,accepted)?,delivered$/)
  const sent = solapi.phones.byNumber('01012345678')
  assert.deepEqual(sent.map(({ key }) => key).sort(), [`${giftId}.alimtalk.gift.0`, `${giftId}.text.gift.0`])
  for (const { text } of sent) {
    assert.match(text, /한빛페이에서 금·은 상품권을 선물했어요/)
    assert.match(text, /PIN 번호: [0-9A-Z]{4}(-[0-9A-Z]{4}){3}\n/)
    assert.match(text, /50,000원/)
  }
})

// What each number does, and where its messages end: channel, status, reason, and how often they were tried.
const MAGIC: [digits: string, alimtalk: string, text: string][] = [
  ['3104', 'failed not_a_messenger_user 1', 'delivered null 1'],
  ['3107', 'failed blocked_by_recipient 1', 'delivered null 1'],
  ['3032', 'failed bad_number 1', 'failed bad_number 1'],
  ['3043', 'delivered null 2', 'delivered null 2'],
  ['3054', 'delivered null 1', 'failed filtered_as_spam 1'],
  ['1030', 'delivered null 2', 'delivered null 2'],
  ['4000', 'delivered null 1', 'delivered null 1'],
  ['4290', 'delivered null 2', 'delivered null 2'],
  ['5000', 'delivered null 2', 'delivered null 2'],
  ['5001', 'delivered null 1', 'delivered null 1'],
  ['5002', 'delivered null 2', 'delivered null 2'],
  ['5003', 'delivered null 1', 'delivered null 1'],
  ['5004', 'delivered null 1', 'delivered null 1'],
  ['5005', 'delivered null 1', 'delivered null 1'],
]
// One after the other: messages that leave together share what becomes of their request.
for (const [digits, alimtalk, text] of MAGIC) {
  test(`010-0000-${digits}`, async () => {
    const giftId = await buy(`010-0000-${digits}`)
    const ends = (await settled(partner, giftId)).map((d) => `${d.status} ${d.reason} ${d.attempts}`)
    assert.deepEqual(ends, [alimtalk, text])
    for (const channel of ['alimtalk', 'text']) {
      const key = `${giftId}.${channel}.gift.0`
      const reached = solapi.phones.reached(key) + nhn!.phones.reached(key)
      assert.ok(reached <= 1, 'nobody gets a message twice')
    }
  })
}

const sentBy = (provider: typeof solapi, giftId: string) =>
  provider.phones.all.filter(({ key }) => key.startsWith(giftId)).map(({ channel }) => channel)

test('in the partner’s language, from the name it chose', async () => {
  const english = await service.addPartner({
    senderName: 'Moa Bank',
    messageLanguage: 'en',
    name: '모아은행',
  })
  const { giftId } = (await english.buy({ phoneNumber: '010-3333-4444', amount: 1_234_000 })).body.data
  await settled(english, giftId)
  const texts = solapi.phones.byNumber('01033334444').map(({ text }) => text)
  assert.equal(texts.length, 2)
  for (const text of texts) {
    assert.match(text, /Moa Bank has given you a gold and silver gift card/)
    assert.match(text, /KRW 1,234,000/)
    assert.doesNotMatch(text, /모아은행/)
  }
})

test('a provider that refuses: the other one takes it at once', async () => {
  solapi.breakAll('rate_limited')
  const giftId = await buy('010-3333-0001')
  const ends = await settled(partner, giftId)
  solapi.breakAll(undefined)
  assert.deepEqual(
    ends.map(({ status, attempts }) => [status, attempts]),
    [
      ['delivered', 2],
      ['delivered', 2],
    ],
  )
  assert.deepEqual([sentBy(solapi, giftId), sentBy(nhn!, giftId).sort()], [[], ['alimtalk', 'text']])
})

test('a provider that may have taken it: nobody else is asked to, and it is found there', async () => {
  solapi.breakAll('timeout_after')
  const giftId = await buy('010-3333-0002')
  await until(() => sentBy(solapi, giftId).length === 2)
  solapi.breakAll(undefined)
  const ends = await settled(partner, giftId)
  assert.deepEqual(
    ends.map(({ status, attempts }) => [status, attempts]),
    [
      ['delivered', 1],
      ['delivered', 1],
    ],
  )
  assert.deepEqual([sentBy(solapi, giftId).length, sentBy(nhn!, giftId)], [2, []])
})

const OLD_WORDS = /90%/
const NEW_WORDS = /담당자가 확인하고 처리해요|our staff handle it/
const wordsOf = (provider: typeof solapi, giftId: string, channel: string) => {
  const [sent] = provider.phones.byKey(`${giftId}.${channel}.gift.0`)
  if (!sent) return 'nothing'
  return NEW_WORDS.test(sent.text) ? 'new' : OLD_WORDS.test(sent.text) ? 'old' : 'neither'
}
// A purchase that SOLAPI refuses: its messages go to NHN.
async function buyRefused(buyer: typeof partner, phoneNumber: string): Promise<string> {
  solapi.breakAll('rate_limited')
  const { giftId } = (await buyer.buy({ phoneNumber, amount: 50_000 })).body.data
  await settled(buyer, giftId)
  solapi.breakAll(undefined)
  return giftId
}

test('each provider sends the newest text it has registered; a text message is the newest', async () => {
  const english = await service.addPartner({ messageLanguage: 'en' })
  const korean = await buy('010-3333-1001')
  await settled(partner, korean)
  const { giftId } = (await english.buy({ phoneNumber: '010-3333-1002', amount: 50_000 })).body.data
  await settled(english, giftId)
  assert.deepEqual([wordsOf(solapi, korean, 'alimtalk'), wordsOf(solapi, korean, 'text')], ['new', 'new'])
  assert.deepEqual([wordsOf(solapi, giftId, 'alimtalk'), wordsOf(solapi, giftId, 'text')], ['old', 'new'])
})

test('tried again elsewhere: the version it was begun with, or the newest registered there', async () => {
  const english = await service.addPartner({ messageLanguage: 'en' })
  // Begun with version 1 at SOLAPI; NHN has both.
  const begunOld = await buyRefused(english, '010-3333-1003')
  assert.equal(wordsOf(nhn!, begunOld, 'alimtalk'), 'old')
  // Begun with version 2; NHN has only the first.
  const begunNew = await buyRefused(partner, '010-3333-1004')
  assert.deepEqual([wordsOf(nhn!, begunNew, 'alimtalk'), wordsOf(nhn!, begunNew, 'text')], ['old', 'new'])
  const { rows } = await service.database.pool.query(
    `select channel, text_version from delivery where card_id = $1 order by channel`,
    [begunNew],
  )
  assert.deepEqual(
    rows.map(({ channel, text_version }) => `${channel} ${text_version}`),
    ['alimtalk 1', 'text 2'],
  )
})

test('begun by a release before this one: it goes on with the first version', async () => {
  solapi.breakAll('rate_limited')
  nhn!.breakAll('rate_limited')
  const giftId = await buy('010-3333-1005')
  await until(async () => (await deliveriesOf(partner, giftId)).every(({ attempts }) => attempts >= 2))
  await service.database.pool.query('update delivery set text_version = null where card_id = $1', [giftId])
  solapi.breakAll(undefined)
  nhn!.breakAll(undefined)
  await settledSoon(giftId)
  for (const channel of ['alimtalk', 'text']) {
    const words = [solapi, nhn!].map((provider) => wordsOf(provider, giftId, channel))
    assert.ok(words.includes('old') && !words.includes('new'), words.join())
  }
})

test('a card that is cancelled while its messages wait: they stay', async () => {
  solapi.breakAll('rate_limited')
  nhn!.breakAll('rate_limited')
  const giftId = await buy('010-3333-0003')
  await until(async () => (await deliveriesOf(partner, giftId)).every(({ attempts }) => attempts >= 2))
  assert.equal((await partner.post(`${BUY}/${giftId}/cancel`, { reason: 'x' })).status, 200)
  solapi.breakAll(undefined)
  nhn!.breakAll(undefined)
  const ends = await settled(partner, giftId)
  // Withdrawn with the card; and nobody is told of a card they never had.
  assert.deepEqual(
    ends.map(({ purpose, status, reason, retryable }) => [purpose, status, reason, retryable]),
    [
      ['gift', 'failed', 'card_voided', false],
      ['gift', 'failed', 'card_voided', false],
    ],
  )
  assert.deepEqual([...sentBy(solapi, giftId), ...sentBy(nhn!, giftId)], [])
})

const cancel = (buyer: typeof partner, giftId: string) =>
  buyer.post(`${BUY}/${giftId}/cancel`, { reason: 'x' })
const ofCancellation = async (buyer: typeof partner, giftId: string) =>
  (await settled(buyer, giftId))
    .filter(({ purpose }) => purpose === 'cancellation')
    .map(({ channel, status, reason }) => `${channel} ${status} ${reason}`)

test('a cancelled card: its recipient is told, once, on the channels that it came by', async () => {
  const giftId = await buy('010-3333-2001')
  await settled(partner, giftId)
  // Asked for twice, it is cancelled once.
  const answers = await Promise.all([cancel(partner, giftId), cancel(partner, giftId)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual(await ofCancellation(partner, giftId), ['alimtalk delivered null', 'text delivered null'])
  for (const channel of ['alimtalk', 'text']) {
    const told = solapi.phones.byKey(`${giftId}.${channel}.cancellation.0`)
    assert.equal(told.length, 1)
    assert.match(told[0]!.text, /한빛페이에서 선물한 금·은 상품권이 취소되어/)
    assert.match(told[0]!.text, /50,000원/)
    assert.doesNotMatch(told[0]!.text, /[0-9A-Z]{4}(-[0-9A-Z]{4}){3}/)
  }
  // Not by the messenger where the card did not come by it.
  const byText = await buy('010-0000-3104')
  await settled(partner, byText)
  await cancel(partner, byText)
  assert.deepEqual(await ofCancellation(partner, byText), ['text delivered null'])
})

for (const [fault, phoneNumber] of [
  ['timeout_after', '010-3333-2002'],
  ['slow', '010-3333-2003'],
] as const) {
  test(`cancelled while its message is under way (${fault}): told once it has arrived`, async () => {
    solapi.breakAll(fault)
    const giftId = await buy(phoneNumber)
    await until(async () => (await deliveriesOf(partner, giftId)).every(({ attempts }) => attempts === 1))
    assert.equal((await cancel(partner, giftId)).status, 200)
    solapi.breakAll(undefined)
    await settledSoon(giftId)
    assert.deepEqual(await ofCancellation(partner, giftId), [
      'alimtalk delivered null',
      'text delivered null',
    ])
    for (const channel of ['alimtalk', 'text']) {
      const [gift, told] = ['gift', 'cancellation'].map((purpose) =>
        solapi.phones.byKey(`${giftId}.${channel}.${purpose}.0`),
      )
      assert.deepEqual([gift!.length, told!.length], [1, 1])
      assert.ok(gift![0]!.atMs <= told![0]!.atMs, 'after the card itself')
    }
  })
}

test('sent again: the same words with the same PIN', async () => {
  const giftId = await buy('010-3333-0004')
  await settled(partner, giftId)
  await service.database.pool.query(
    `update delivery set created_at = created_at - interval '2 minutes' where card_id = $1`,
    [giftId],
  )
  assert.equal((await partner.post(`${BUY}/${giftId}/resend`, '')).status, 200)
  await settled(partner, giftId)
  for (const channel of ['alimtalk', 'text']) {
    const [first, again] = ['gift.0', 'resend.1'].map((kind) =>
      solapi.phones.byKey(`${giftId}.${channel}.${kind}`),
    )
    assert.deepEqual([first!.length, again!.length], [1, 1])
    assert.equal(again![0]!.text, first![0]!.text)
  }
})

test('one message that makes its provider stumble does not keep the others back', async () => {
  // With one provider, so that nobody else can help.
  const poisoned = await startMessaged({
    nhn: false,
    providerTimeouts: { absentAfterMs: 300 },
    solapi: {
      onRequest(stage, { method, body }) {
        const poison = JSON.stringify(body ?? '').includes('01077770000')
        if (stage === 'arrived' && method === 'POST' && poison) throw new Error('stumbles')
      },
    },
  })
  const buyer = await poisoned.service.addPartner()
  const numbers = ['010-7777-0000', ...Array.from({ length: 40 }, (_, i) => `010-7777-10${10 + i}`)]
  const cards = await Promise.all(
    numbers.map(
      async (phoneNumber) => (await buyer.buy({ phoneNumber, amount: 1_000 })).body.data.giftId as string,
    ),
  )
  // What is due again is looked for every minute: here at once.
  await until(async () => {
    const { pool } = poisoned.service.database
    await pool.query(`select graphile_worker.add_job('sweep_deliveries', job_key => 'sweep')`)
    const open = 'select 1 from delivery where settled_at is null and card_id = any ($1)'
    return (await pool.query(open, [cards.slice(1)])).rowCount === 0
  }, 'the others come to their end')
  for (const giftId of cards.slice(1)) {
    assert.ok((await settled(buyer, giftId)).every(({ status }) => status === 'delivered'))
  }
  assert.ok((await deliveriesOf(buyer, cards[0]!)).every(({ status }) => status !== 'delivered'))
  assert.deepEqual(poisoned.solapi.phones.doubled, [])
  await poisoned.service.stop()
})

test('messages that waited for days are not given up at the first refusal', async () => {
  solapi.breakAll('rate_limited')
  nhn!.breakAll('rate_limited')
  const giftId = await buy('010-3333-0006')
  await service.database.pool.query(
    `update delivery set created_at = created_at - interval '3 days' where card_id = $1`,
    [giftId],
  )
  await until(async () => (await deliveriesOf(partner, giftId)).every(({ attempts }) => attempts >= 2))
  solapi.breakAll(undefined)
  nhn!.breakAll(undefined)
  assert.ok((await settledSoon(giftId)).every(({ status }) => status === 'delivered'))
})

test('without an approved template the notification fails, and says why; the text arrives', async () => {
  const told = await service.addPartner({ messageLanguage: 'en' })
  const toCancel: string[] = []
  for (const digits of ['1234', '3054']) {
    const bought = await told.buy({ phoneNumber: `010-0000-${digits}`, amount: 1_000 })
    toCancel.push(bought.body.data.giftId)
    await settled(told, bought.body.data.giftId)
  }
  await service.database.pool.query(`delete from template_registration where language = 'en'`)
  await sleep(5_100) // for so long a worker trusts what it knows
  const english = await service.addPartner({ messageLanguage: 'en' })
  const { giftId } = (await english.buy({ phoneNumber: '010-3333-0005', amount: 1_000 })).body.data
  const ends = await settled(english, giftId)
  assert.deepEqual(
    ends.map(({ status, reason }) => [status, reason]),
    [
      ['failed', 'no_template'],
      ['delivered', null],
    ],
  )
  // A cancellation is told by text then, also where the card came by the messenger alone.
  for (const giftId of toCancel) assert.equal((await cancel(told, giftId)).status, 200)
  assert.deepEqual(await ofCancellation(told, toCancel[0]!), [
    'alimtalk failed told_by_text',
    'text delivered null',
  ])
  assert.deepEqual(await ofCancellation(told, toCancel[1]!), [
    'alimtalk failed told_by_text',
    'text failed filtered_as_spam',
  ])
})

test('what an operator can see to is in the log, each kind once', async () => {
  const told = service.log.filter((line) => line.includes('"messages do not arrive"'))
  assert.equal(told.length, 1, told.join())
  assert.match(told[0]!, /"reason":"alimtalk no_template"/)
})

test('a provider that is down is told once, and the messages wait', async () => {
  const down = await startMessaged({ nhn: false, providerTimeouts: { circuit: { failures: 2 } } })
  down.solapi.breakAll('error_500')
  const buyer = await down.service.addPartner()
  for (let i = 0; i < 3; i += 1) await buyer.buy({ phoneNumber: `010-8888-000${i}`, amount: 1_000 })
  await until(() => down.service.log.some((line) => line.includes('"provider does not take messages"')))
  down.solapi.breakAll(undefined)
  await until(
    async () =>
      (await down.service.database.pool.query('select 1 from delivery where settled_at is null')).rowCount ===
      0,
  )
  assert.ok(down.service.log.some((line) => line.includes('"provider takes messages again"')))
  await down.service.stop()
})
