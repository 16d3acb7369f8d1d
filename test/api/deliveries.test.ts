import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settled, startMessaged } from '#test/messaged-service.ts'

const { service, solapi, nhn } = await startMessaged()
const partner = await service.addPartner({ name: '한빛페이' })

async function buy(phoneNumber: string): Promise<string> {
  return (await partner.buy({ phoneNumber, amount: 50_000 })).body.data.giftId
}

test('both messages arrive, once, with the same words as the card', async () => {
  const giftId = await buy('010-1234-5678')
  const deliveries = await settled(partner, giftId)
  assert.deepEqual(
    deliveries.map((d) => [d.channel, d.status, d.attempts, d.events.map((e) => e.status).join()]),
    [
      ['alimtalk', 'delivered', 1, 'queued,accepted,delivered'],
      ['text', 'delivered', 1, 'queued,accepted,delivered'],
    ],
  )
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
