import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '#base/log.ts'
import { createPlaceOrder } from '#flows/trading/place-order.ts'
import { createQuoteOrder } from '#flows/trading/quote-order.ts'
import { forgetOldRecords } from '#jobs/forget-old-records.ts'
import { addHolder, testMetrics } from '#test/holders.ts'
import { advanceClock } from '#test/operator.ts'
import { assertBooks, startService } from '#test/service.ts'
import { feedPrice } from '#test/trading.ts'

const service = await startService()
const { database } = service

const prices = async () =>
  (
    await database.pool.query(`select won_per_gram from metal_price where metal = 'XAU' order by at`)
  ).rows.map((row) => Number(row.won_per_gram))

test('prices are thinned after five years, and those that orders name stay', async () => {
  // All on one Seoul day, whatever the hour: the clock goes on to the next noon.
  const { rows } = await database.pool.query(`select extract(epoch from
    (seoul_date(service_now()) + 1)::timestamp at time zone 'Asia/Seoul' + interval '12 hours' - service_now())::int as seconds`)
  await advanceClock(database, { seconds: rows[0].seconds, actor: 'test' })
  const partner = await service.addPartner()
  const { holderId } = await addHolder(service, partner, 'buyer', { KRW: 100_000n })
  const deps = { database, metrics: testMetrics() }
  await feedPrice(database, 'XAU', 200_000n)
  await feedPrice(database, 'XAU', 201_000n)
  const quoted = await createQuoteOrder(deps)({ holderId, metal: 'XAU', side: 'buy', won: 20_000n })
  assert.ok(quoted.kind === 'quoted')
  await createPlaceOrder(deps)({ quoteId: quoted.quote.id, holderId })
  await feedPrice(database, 'XAU', 202_000n)
  await feedPrice(database, 'XAU', 203_000n)
  const [first] = await prices()
  await advanceClock(database, { seconds: 1900 * 86_400, actor: 'test' })
  await feedPrice(database, 'XAU', 300_000n)

  await forgetOldRecords({ database, log: createLog('error') })
  assert.deepEqual(await prices(), [first, 201_000, 203_000, 300_000])
  await assertBooks(database)
})

// Of before orders named their prices.
test('the first price of all stays: an order of its day that names none was made after it', async () => {
  const [first] = await prices()
  await database.pool.query(`insert into metal_price (metal, at, won_per_gram, source)
    select metal, min(at) + interval '1 minute', 204000, 'test feed' from metal_price where metal = 'XAU' group by metal`)
  await forgetOldRecords({ database, log: createLog('error') })
  assert.equal((await prices())[0], first)
})
