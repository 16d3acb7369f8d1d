import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '#base/crypto/secret.ts'
import { createGoldapi, type GoldapiOptions } from '#providers/metal-price/goldapi.ts'
import type { Metal } from '#providers/metal-price/port.ts'
import { FAULTS, type Fault } from '#stand-ins/faults.ts'
import { type GoldapiStandInOptions, startGoldapiStandIn } from '#stand-ins/metal-price/goldapi.ts'
import { patiently, until } from '#test/patience.ts'

const TOKEN = 'goldapi-token-io'

async function startGoldapi(
  standInOptions: Partial<GoldapiStandInOptions> = {},
  options: Partial<GoldapiOptions> = {},
) {
  const standIn = await startGoldapiStandIn({ token: TOKEN, ...standInOptions })
  const lines: string[] = []
  const feed = createGoldapi({
    url: standIn.url,
    token: new Secret(TOKEN),
    watch: { onRequest: ({ provider, call, outcome }) => lines.push(`${provider} ${call} ${outcome}`) },
    onCircuit: (open) => lines.push(open ? 'open' : 'closed'),
    timeouts: { answerMs: 5_000 },
    circuit: { failures: 1_000 },
    ...options,
  })
  // A price by what it says, or why there is none.
  const read = async (metal: Metal = 'XAU') => {
    const word = await feed.read(metal, Temporal.Now.instant())
    return word.kind === 'price' ? Number(word.price.wonPerGram) : word.reason
  }
  const close = () => Promise.all([standIn.close(), feed.close()])
  return { standIn, feed, lines, read, [Symbol.asyncDispose]: async () => void (await close()) }
}

test('both metals, in won for a gram', async () => {
  await using goldapi = await startGoldapi()
  const word = await goldapi.feed.read('XAU', Temporal.Instant.from('2031-01-01T00:00Z'))
  assert.ok(word.kind === 'price')
  assert.deepEqual([word.price.metal, word.price.wonPerGram], ['XAU', 198_500n])
  assert.ok(word.price.ageMs >= 0 && word.price.ageMs < 5_000, 'by the real clock, whatever the sandbox says')
  assert.equal(await goldapi.read('XAG'), 2_480)
  assert.deepEqual(goldapi.standIn.requests, ['/api/XAU/KRW', '/api/XAG/KRW'])
  assert.equal(goldapi.feed.past, undefined)
  assert.deepEqual(goldapi.lines, ['goldapi read status_200', 'goldapi read status_200'])
})

const ages: [seconds: number, least: number, most: number][] = [
  [0, 0, 5_000],
  [3_600, 3_600_000, 3_605_000],
  [86_400 * 3, 259_200_000, 259_205_000],
  [-30, 0, 0],
]
for (const [ageSeconds, least, most] of ages) {
  test(`a price that is ${ageSeconds} s old`, async () => {
    await using goldapi = await startGoldapi({ ageSeconds })
    const word = await goldapi.feed.read('XAU', Temporal.Now.instant())
    assert.ok(word.kind === 'price' && word.price.ageMs >= least && word.price.ageMs <= most)
  })
}

// What is given for an ounce and for a gram, and what is made of it.
const OUNCE = 31.1034768
const numbers: [ounce: unknown, gram: unknown, expected: number | string][] = [
  [198_500.5 * OUNCE, 198_500.5, 198_501],
  [198_500.4999 * OUNCE, 198_500.4999, 198_500],
  [198_500 * OUNCE, 198_500.00000000003, 198_500],
  [6_174_056.54, undefined, 198_501],
  [6_174_055.6, null, 198_500],
  [200_000 * OUNCE, 201_900, 201_900],
  [200_000 * OUNCE, 202_100, 'contradicts_itself'],
  [200_000 * OUNCE, 197_900, 'contradicts_itself'],
  [200_000 * OUNCE, 200_000 * OUNCE, 'contradicts_itself'],
  [4_300, 4_300 / OUNCE, 'not_sane'],
  [4_300, undefined, 'not_sane'],
  [1e9 * OUNCE, 1e9, 'not_sane'],
  [1e300, 1e300, 'answer_unreadable'],
  [1e-9, 1e-9, 'answer_unreadable'],
  [0, 0, 'answer_unreadable'],
  [-6_174_000, -198_500, 'answer_unreadable'],
  [6_174_000, -198_500, 'answer_unreadable'],
  [6_174_000, '198500', 'answer_unreadable'],
  ['6174000', 198_500, 'answer_unreadable'],
  [undefined, 198_500, 'answer_unreadable'],
  [null, undefined, 'answer_unreadable'],
  [[6_174_000], { a: 1 }, 'answer_unreadable'],
]
for (const [price, price_gram_24k, expected] of numbers) {
  test(`${price} an ounce, ${price_gram_24k} a gram: ${expected}`, async () => {
    await using goldapi = await startGoldapi({ distort: (body) => ({ ...body, price, price_gram_24k }) })
    assert.equal(await goldapi.read(), expected)
  })
}

const nowSeconds = () => Math.floor(Temporal.Now.instant().epochMilliseconds / 1000)
const hostile: [string, (body: Record<string, unknown>) => unknown, string][] = [
  ['an error in place of a price', () => ({ error: 'No data available' }), 'refused'],
  ['an error beside a price', (body) => ({ ...body, error: 'stale' }), 'refused'],
  ['another metal', (body) => ({ ...body, metal: 'XAG' }), 'another_price'],
  ['another currency', (body) => ({ ...body, currency: 'USD' }), 'another_price'],
  ['nothing', () => ({}), 'another_price'],
  ['a list', (body) => [body], 'another_price'],
  ['null', () => null, 'another_price'],
  ['no time', (body) => ({ ...body, timestamp: undefined }), 'no_time'],
  ['a time in words', (body) => ({ ...body, timestamp: 'now' }), 'no_time'],
  ['a time before all time', (body) => ({ ...body, timestamp: -1 }), 'no_time'],
  ['half a second', (body) => ({ ...body, timestamp: 1.5 }), 'no_time'],
  ['milliseconds', (body) => ({ ...body, timestamp: nowSeconds() * 1000 }), 'no_time'],
  ['a time to come', (body) => ({ ...body, timestamp: nowSeconds() + 90 }), 'no_time'],
  ['endless text', (body) => ({ ...body, symbol: 'x'.repeat(70_000) }), 'answer_unreadable'],
]
for (const [name, distort, expected] of hostile) {
  test(`an answer with ${name}: ${expected}`, async () => {
    await using goldapi = await startGoldapi({ distort })
    assert.equal(await goldapi.read(), expected)
  })
}

const REASONS: Readonly<Record<Fault, string>> = {
  error_500: 'server_error',
  reset_before: 'connection_lost',
  accepted_then_500: 'server_error',
  reset_after: 'connection_lost',
  hang_after: 'timeout',
  html: 'answer_unreadable',
  gateway_502: 'server_error',
}
for (const fault of FAULTS) {
  test(`${fault}: ${REASONS[fault]}, and a price again afterwards`, async () => {
    await using goldapi = await startGoldapi(
      {},
      { timeouts: { answerMs: fault === 'hang_after' ? 400 : 5_000 } },
    )
    goldapi.standIn.breakAll(fault)
    assert.equal(await goldapi.read(), REASONS[fault])
    goldapi.standIn.breakAll(undefined)
    assert.equal(await goldapi.read(), 198_500)
  })
}

test('a pair that it has no data for', async () => {
  await using goldapi = await startGoldapi({ prices: {} })
  assert.equal(await goldapi.read(), 'refused')
})

test('a wrong address, and one where nobody is', async () => {
  await using one = await startGoldapi()
  await using other = await startGoldapi({}, { url: `${one.standIn.url}/elsewhere` })
  assert.equal(await other.read(), 'not_found')
  await one.standIn.close()
  assert.equal(await one.read(), 'unreachable')
})

test('a wrong token opens the circuit, which tries the way; too many requests do not', async () => {
  const circuit = { failures: 2, firstPauseMs: patiently(2_000) } // the third question comes within the pause
  await using goldapi = await startGoldapi({}, { token: new Secret('another'), circuit })
  const reasons = [await goldapi.read(), await goldapi.read(), await goldapi.read()]
  assert.deepEqual(reasons, ['unauthorized', 'unauthorized', 'circuit_open'])
  await until(async () => (await goldapi.read()) === 'unauthorized')
  assert.equal(goldapi.standIn.requests.length, 3)
  assert.ok(goldapi.lines.includes('open'))
  await using busy = await startGoldapi({ quota: 1 }, { circuit })
  assert.equal(await busy.read(), 198_500)
  for (let tried = 0; tried < 4; tried++) assert.equal(await busy.read(), 'rate_limited')
})

test('no reason and no measurement holds the token', async () => {
  await using goldapi = await startGoldapi({}, { timeouts: { answerMs: 100 } })
  const seen: unknown[] = [goldapi.lines]
  for (const fault of FAULTS) {
    goldapi.standIn.breakAll(fault)
    seen.push(await goldapi.feed.read('XAG', Temporal.Now.instant()))
  }
  assert.doesNotMatch(JSON.stringify(seen), /goldapi-token/)
})
