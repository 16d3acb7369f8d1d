import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { newId } from '#base/ids.ts'
import { createWorkQueue } from '#base/queues/work-queue.ts'
import { ApiError, sendError, toApiError } from '#edge/http/errors.ts'
import { acceptJson } from '#edge/http/json-body.ts'
import type { Server } from '#edge/http/types.ts'
import { VALIDATION } from '#edge/http/validation.ts'
import type { Access, MemberAccess, Visitor } from '#edge/member/access.ts'
import { registerAssets } from '#edge/member/assets.ts'
import { registerHistory } from '#edge/member/history.ts'
import { registerPrices } from '#edge/member/prices.ts'
import { registerStatements } from '#edge/member/statements.ts'
import { registerTrade } from '#edge/member/trade.ts'
import { registerWithdrawals } from '#edge/member/withdrawals.ts'
import { createGuard } from '#flows/guesses/guard-guesses.ts'
import { createReadActs, createReadHistory, createReadStatement } from '#flows/holdings/read-history.ts'
import { createReadHoldings } from '#flows/holdings/read-holdings.ts'
import { stopOrResumeTrading } from '#flows/trading/change-trading.ts'
import { createPlaceOrder } from '#flows/trading/place-order.ts'
import { createQuoteOrder } from '#flows/trading/quote-order.ts'
import { createFindEarlierRequest } from '#flows/withdrawals/find-earlier-request.ts'
import { createPrecheckWithdrawal, createRequestWithdrawal } from '#flows/withdrawals/request-withdrawal.ts'
import { createCancelWithdrawal } from '#flows/withdrawals/settle-withdrawal.ts'
import { createListWithdrawals } from '#flows/withdrawals/show-withdrawals.ts'
import { createPriceBoard } from '#modules/pricing/board.ts'
import { createSimulatedAccountHolder } from '#providers/account-holder/simulated.ts'
import { addAccount, addHolder, assetsOf, testMetrics } from '#test/holders.ts'
import { until } from '#test/patience.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { startService } from '#test/service.ts'

// The handlers alone, behind an access that admits the visitor a header names.
const service = await startService()
const { database } = service
const partner = await service.addPartner()
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const holder = await addHolder(service, partner, '홍길동', { KRW_POINT: 100_000n, KRW: 50_000n })

const deps = { database, keys, metrics: testMetrics() }
const log = { debug() {}, info() {}, warn() {}, error() {} }
const edge = {
  database,
  prices: createPriceBoard(database, createWorkQueue()),
  quoteOrder: createQuoteOrder(deps),
  placeOrder: createPlaceOrder(deps),
  readHoldings: createReadHoldings(database),
  readHistory: createReadHistory(deps),
  readActs: createReadActs(deps),
  readStatement: createReadStatement(database),
  accountHolder: createSimulatedAccountHolder({ watch: { onRequest: () => {} } }),
  log,
  guard: createGuard({ ...deps, log }),
  findEarlierRequest: createFindEarlierRequest(deps),
  precheckWithdrawal: createPrecheckWithdrawal(deps),
  requestWithdrawal: createRequestWithdrawal(deps),
  cancelWithdrawal: createCancelWithdrawal(deps),
  listWithdrawals: createListWithdrawals(deps),
}

const accountId = await addAccount(service, holder.holderId)
const visitor = { holderId: holder.holderId, accountId, name: '홍길동', maskedName: '홍*동' } as Visitor
const access: Access & Pick<MemberAccess, 'browser'> = {
  browser: () => ({ sessions: [], devices: [], deviceLabel: '', address: '127.0.0.1', language: 'ko' }),
  async visitor({ headers }) {
    if (headers['x-visitor'] === undefined) throw new ApiError('unauthorized')
    const trusted = headers['x-visitor'] === 'trusted'
    return { ...visitor, mustVerify: !trusted, fresh: trusted }
  },
  async trusted(request) {
    const who = await access.visitor(request)
    if (request.headers['x-visitor'] !== 'trusted') throw new ApiError('step_up_required')
    return who
  },
}

const server = fastify({ ajv: { customOptions: VALIDATION } }) as unknown as Server
acceptJson(server)
server.decorate('publicUrl', 'http://test')
server.decorateRequest('errorCode', null)
server.decorateRequest('refusal', null)
server.setErrorHandler((error, request, reply) => sendError(request, reply, toApiError(error)))
await server.register(
  async (scope) => {
    registerPrices(scope as Server, edge)
    registerTrade(scope as Server, edge, access)
    registerAssets(scope as Server, edge, access)
    registerHistory(scope as Server, edge, access)
    registerStatements(scope as Server, edge, access)
    registerWithdrawals(scope as Server, edge, access)
  },
  { prefix: '/member' },
)
after(() => server.close())

async function ask(method: 'GET' | 'POST', path: string, body?: object, visitorKind = 'trusted') {
  const response = await server.inject({
    method,
    url: `/member${path}`,
    headers: { accept: 'application/problem+json', ...(visitorKind ? { 'x-visitor': visitorKind } : {}) },
    ...(body ? { payload: body } : {}),
  })
  const json = /json/.test(`${response.headers['content-type']}`)
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    body: json ? response.json() : {},
  }
}

test('prices are for everyone', async () => {
  const { status, body } = await ask('GET', '/prices', undefined, '')
  assert.equal(status, 200)
  assert.deepEqual([body.trading, body.feePercent, body.spreadPercent.gold], ['open', '0.30', '1.00'])
  const { reference, ask: asked, bid, change } = body.gold
  assert.deepEqual([reference, asked, bid, change], [198_500, 199_493, 197_507, { won: 0, percent: '0.00' }])
  const history = await ask('GET', '/prices/silver/history?period=1d', undefined, '')
  assert.deepEqual([history.status, history.body.points.at(-1).wonPerGram], [200, 2_480])
  assert.equal((await ask('GET', '/prices/tin/history?period=1d')).status, 400)
  assert.equal((await ask('GET', '/prices/gold/history?period=2d')).status, 400)
})

test('a quote, its order, and what is held then', async () => {
  const quote = await ask('POST', '/quotes', { side: 'buy', metal: 'gold', won: 120_000 }, 'new device')
  assert.equal(quote.status, 200)
  const { quoteId, expiresAt, ...figures } = quote.body
  assert.ok(expiresAt)
  assert.deepEqual(figures, {
    side: 'buy',
    metal: 'gold',
    grams: '0.5997',
    reference: 198_500,
    price: 199_493,
    spreadPercent: '1.00',
    feePercent: '0.30',
    metalWon: 119_636,
    spreadWon: 596,
    fee: 359,
    total: 119_995,
    fromPoints: 100_000,
    fromDeposit: 19_995,
    rounding: 5,
    lacking: 0,
    lackingGrams: '0.0000',
    expiresInSeconds: 60,
  })
  const early = await ask('POST', '/orders', { quoteId }, 'new device')
  assert.deepEqual([early.status, early.body.code], [403, 'step_up_required'])
  const order = await ask('POST', '/orders', { quoteId })
  assert.deepEqual([order.status, order.body.total, order.body.fromPoints], [200, 119_995, 100_000])
  assert.deepEqual((await ask('POST', '/orders', { quoteId })).body, order.body)

  const { body: assets } = await ask('GET', '/assets')
  assert.deepEqual(
    [assets.points, assets.deposit, assets.gold.grams, assets.gold.cost],
    [0, 30_005, '0.5997', 119_995],
  )
  assert.deepEqual(assets.gold.gain, { won: 119_040 - 119_995, percent: '-0.80' })
  const seen = await assetsOf(partner, holder)
  assert.deepEqual(
    [seen.totalValue, seen.gold.value, seen.gold.pricePerGram],
    [assets.totalValue, assets.gold.value, assets.gold.pricePerGram],
  )
})

const REFUSED: [what: string, path: string, body: object, status: number, code: string][] = [
  ['neither won nor grams', '/quotes', { side: 'buy', metal: 'gold' }, 400, 'invalid_request'],
  ['both', '/quotes', { side: 'buy', metal: 'gold', won: 1_000, grams: '1' }, 400, 'invalid_request'],
  [
    'grams in five places',
    '/quotes',
    { side: 'buy', metal: 'gold', grams: '0.00001' },
    400,
    'invalid_request',
  ],
  ['won as a text', '/quotes', { side: 'buy', metal: 'gold', won: '1000' }, 400, 'invalid_request'],
  ['more than a ton', '/quotes', { side: 'buy', metal: 'gold', grams: '1000001' }, 400, 'invalid_request'],
  ['nothing', '/quotes', { side: 'buy', metal: 'gold', grams: '0' }, 422, 'amount_too_small'],
  ['a won of gold', '/quotes', { side: 'buy', metal: 'gold', won: 1 }, 422, 'amount_too_small'],
  ['a quote that is not there', '/orders', { quoteId: newId() }, 409, 'quote_expired'],
  ['a quote that is none', '/orders', { quoteId: 'x' }, 400, 'invalid_request'],
]
for (const [what, path, body, status, code] of REFUSED) {
  test(`refused: ${what}`, async () => {
    const answer = await ask('POST', path, body)
    assert.deepEqual([answer.status, answer.body.code], [status, code])
  })
}

// What a page lets nobody send: the service reads no amount in a way of its own.
const NOT_WON = [
  12.5,
  -1,
  0,
  1_000_000_001,
  1e308,
  2 ** 53,
  '50000',
  '50,000',
  '50,000원',
  '１',
  ' ',
  '',
  null,
  true,
  [1],
]
const NOT_GRAMS = [
  '1,5',
  '1,000',
  '1e9',
  '0x10',
  '-1',
  '+1',
  '.5',
  '1.',
  '1.23456',
  '１',
  ' 1',
  '1 g',
  '',
  ' ',
  '9'.repeat(10),
  1,
]
test('amounts in any other way are refused, and nothing is quoted or withdrawn', async () => {
  const wanted = { requestId: newId(), bank: '088', account: '110-123-456789' }
  for (const won of NOT_WON) {
    const quote = await ask('POST', '/quotes', { side: 'buy', metal: 'gold', won })
    assert.deepEqual([quote.status, quote.body.code], [400, 'invalid_request'], JSON.stringify(won))
    const withdrawal = await ask('POST', '/withdrawals', { ...wanted, amount: won })
    assert.deepEqual([withdrawal.status, withdrawal.body.code], [400, 'invalid_request'], JSON.stringify(won))
  }
  for (const grams of NOT_GRAMS) {
    const { status, body } = await ask('POST', '/quotes', { side: 'buy', metal: 'gold', grams })
    assert.deepEqual([status, body.code], [400, 'invalid_request'], JSON.stringify(grams))
  }
  for (const account of [
    '１１０１２３４５６７８９',
    '110 123 456789',
    '12345',
    '-----------',
    '1'.repeat(25),
  ]) {
    assert.equal(
      (await ask('POST', '/withdrawals', { ...wanted, amount: 1_000, account })).status,
      400,
      account,
    )
  }
})

test('more than is held', async () => {
  const { body } = await ask('POST', '/quotes', { side: 'sell', metal: 'silver', grams: '3' })
  assert.deepEqual([body.lacking, body.lackingGrams], [0, '3.0000'])
  const order = await ask('POST', '/orders', { quoteId: body.quoteId })
  assert.deepEqual([order.status, order.body.code], [409, 'insufficient_balance'])
})

test('a withdrawal is asked for, listed, and taken back', async () => {
  const body = { requestId: newId(), amount: 10_000, bank: '088', account: '110-123-456789' }
  const asked = await ask('POST', '/withdrawals', body)
  assert.deepEqual([asked.status, asked.body.account, asked.body.settledAt], [200, '········6789', null])
  assert.deepEqual((await ask('POST', '/withdrawals', { ...body, account: '110123456789' })).body, asked.body)
  assert.equal((await ask('POST', '/withdrawals', { ...body, amount: 9_000 })).body.code, 'conflict')
  const poor = await ask('POST', '/withdrawals', { ...body, requestId: newId(), amount: 1_000_000 })
  assert.equal(poor.body.code, 'insufficient_balance')
  assert.equal((await ask('POST', '/withdrawals', { ...body, account: '1-2-3-4-5-' })).status, 400)
  assert.deepEqual((await ask('GET', '/withdrawals')).body, { withdrawals: [asked.body] })
  const cancel = `/withdrawals/${asked.body.id}/cancel`
  assert.equal((await ask('POST', cancel, undefined, 'new device')).status, 403)
  assert.equal((await ask('POST', cancel)).body.status, 'cancelled')
  assert.equal((await ask('POST', `/withdrawals/${newId()}/cancel`)).status, 404)
})

test('history and statements', async () => {
  const { body } = await ask('GET', '/history')
  assert.deepEqual(
    body.movements.map(
      (one: Record<string, string>) => `${one.kind} ${one.asset} ${one.change} ${one.balance}`,
    ),
    [
      'withdraw_back deposit +10000 30005',
      'withdraw deposit -10000 20005',
      'buy gold +0.5997 0.5997',
      'buy deposit -19995 30005',
      'buy points -100000 0',
      'grant deposit +50000 50000',
      'grant points +100000 100000',
    ],
  )
  assert.equal(body.next, null)
  assert.equal((await ask('GET', '/history?asset=gold')).body.movements.length, 1)
  assert.equal((await ask('GET', '/history?cursor=abc')).status, 400)
  const { rows } = await database.pool.query('select seoul_date(service_now())::text as today')
  const { today } = rows[0]
  const statement = await ask('GET', `/statement?from=${today}&to=${today}`)
  assert.equal(statement.status, 200, statement.text)
  assert.deepEqual(statement.body.closing, { points: 0, deposit: 30_005, gold: '0.5997', silver: '0.0000' })
  assert.deepEqual([statement.body.name, statement.body.movements.length], ['홍*동', 7])
  const csv = await ask('GET', `/statement.csv?from=${today}&to=${today}&lang=en`)
  assert.match(
    `${csv.headers['content-type']} ${csv.headers['content-disposition']}`,
    /^text\/csv.*attachment/,
  )
  assert.ok(csv.text.startsWith('\uFEFFTime,'))
  for (const period of [
    'from=2026-02-30&to=2026-03-01',
    'from=2026-03-02&to=2026-03-01',
    'from=2024-01-01&to=2025-06-01',
    'from=2090-01-01&to=2090-01-02',
  ]) {
    assert.equal((await ask('GET', `/statement?${period}`)).status, 400, period)
  }
})

test('everything but prices is for whoever is signed in', async () => {
  const paths = ['/assets', '/history', '/withdrawals', '/statement?from=2026-01-01&to=2026-01-01']
  for (const path of paths) assert.equal((await ask('GET', path, undefined, '')).status, 401, path)
  const quote = await ask('POST', '/quotes', { side: 'buy', metal: 'gold', won: 1_000 }, '')
  assert.equal(quote.status, 401)
})

test('stopped trading says so', async () => {
  const why = { reason: 'test', actor: 'test' }
  await stopOrResumeTrading(database, { stopped: true, ...why })
  const quote = await ask('POST', '/quotes', { side: 'buy', metal: 'gold', won: 1_000 })
  assert.deepEqual([quote.status, quote.body.code], [503, 'trading_stopped'])
  // What everybody sees is a second old at most.
  await until(async () => (await ask('GET', '/prices')).body.trading === 'stopped')
})
