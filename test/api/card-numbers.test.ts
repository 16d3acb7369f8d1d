import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BUY, PHONE, startService } from '#test/service.ts'

// A database that was restored: its sequence hands out serials again whose cards it has.
const service = await startService()
const partner = await service.addPartner()
const other = await service.addPartner()

const buy = (who: Pick<typeof partner, 'buy'>, headers?: Record<string, string>) =>
  who.buy({ phoneNumber: PHONE, amount: 1000 }, headers)

async function goBack(): Promise<void> {
  await service.database.pool.query(`select setval('gift_card_serial_block', 0, false)`)
}

test('a number that is taken costs nobody a purchase, and gives no number twice', async () => {
  for (let i = 0; i < 3; i += 1) assert.equal((await buy(partner)).status, 200)
  for (let restores = 0; restores < 3; restores += 1) {
    await goBack()
    // A process with no numbers at hand draws those that are taken.
    const restored = await startService({ beside: service })
    const key = { 'idempotency-key': `key ${restores}` }
    const answers = await Promise.all([
      buy(partner.at(restored), key),
      ...Array.from({ length: 12 }, () => buy(partner.at(restored))),
      ...Array.from({ length: 12 }, () => buy(other.at(restored))),
      // One that is refused stays refused.
      partner.at(restored).buy({ phoneNumber: PHONE, amount: 99_000_000 }),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...Array.from({ length: 25 }, () => 200), 400],
    )
    const again = await buy(partner.at(restored), key)
    assert.deepEqual([again.status, again.body], [200, answers[0].body])
    const { giftId } = answers[0].body.data
    const found = (await partner.get(`${BUY}/${giftId}`)).body.data
    assert.equal((await partner.get(`${BUY}/${found.giftId}`)).body.data.giftId, found.giftId)
  }
  const { rows } = await service.database.pool.query('select last_value from gift_card_serial_block')
  assert.ok(rows[0].last_value > 2n ** 28n, 'the numbers go on past what may have been lost')
  const logged = service.companions.flatMap(({ log }) => log).filter((line) => line.includes('"status":500'))
  assert.deepEqual(logged, [])
})

test('two jumps at once never go back', async () => {
  const jump = () => service.database.pool.query('select skip_serial_blocks(1000) as at')
  const jumps = await Promise.all(Array.from({ length: 8 }, jump))
  const reached = jumps.map(({ rows }) => rows[0].at as bigint).toSorted((a, b) => (a < b ? -1 : 1))
  for (const [i, at] of reached.entries()) if (i > 0) assert.equal(at - reached[i - 1]!, 1000n)
})
