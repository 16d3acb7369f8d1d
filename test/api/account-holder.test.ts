import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Secret } from '#base/crypto/secret.ts'
import { newId } from '#base/ids.ts'
import { GUESS_LIMITS } from '#modules/guesses/rules.ts'
import { isSameName } from '#providers/account-holder/port.ts'
import { createPortoneAccountHolder } from '#providers/account-holder/portone.ts'
import { refused, startAccountHolderStandIn } from '#stand-ins/account-holder/portone.ts'
import { giveDeposit } from '#test/holders.ts'
import { whileLocked } from '#test/locks.ts'
import { addMember, BEHIND_PROXY, type Browser, newPerson, verify } from '#test/member.ts'
import { advanceClock } from '#test/operator.ts'
import { startService } from '#test/service.ts'

const API_SECRET = 'portone-secret'
const NAME = '김하나'
const TEMPORARY = 'PLATFORM_EXTERNAL_API_TEMPORARILY_FAILED'
const standIn = await startAccountHolderStandIn({
  apiSecret: API_SECRET,
  accounts: {
    'SHINHAN 110123456789': NAME,
    'SHINHAN 110000000001': '박남의',
    'SHINHAN 110000000002': refused(502, TEMPORARY),
    'SHINHAN 110000000003': refused(403, 'PLATFORM_NOT_ENABLED'),
    'SHINHAN 110000000004': { status: 200, body: {} },
    'SHINHAN 110000000005': { status: 502, text: '<html>Bad gateway</html>' },
    'TOSS 100012345678': '\u1100\u1175\u11b7 하나 ',
  },
})
after(() => standIn.close())
const service = await startService({
  environment: {
    ...BEHIND_PROXY.environment,
    ACCOUNT_HOLDER: 'portone',
    PORTONE_URL: standIn.url,
    PORTONE_API_SECRET: API_SECRET,
  },
})
const { database } = service
const DAY = 86_400

const ask = (browser: Browser, account: string, bank = '088', more = {}) =>
  browser.post('/withdrawals', { requestId: newId(), amount: 1_000, bank, account, ...more })

async function addRich(deposit = 100_000n): Promise<Browser> {
  const { browser, loginId } = await addMember(service)
  await giveDeposit(service, loginId, deposit)
  return browser
}

for (const [one, other, same] of [
  ['김하나', '김하나', true],
  ['김 하나', ' 김하나', true],
  ['김하나'.normalize('NFD'), '김하나', true],
  ['ＫＩＭ　ＨＡＮＡ', 'Kim Hana', true],
  ['김하나', '김하니', false],
  ['김하나', '김*나', false],
  ['김하나', '김하', false],
  ['', '', false],
  [' ', '　', false],
] as const) {
  test(`names: ${JSON.stringify([one, other])} ${same ? 'are the same' : 'differ'}`, () => {
    assert.equal(isSameName(one, other), same)
  })
}

// What the bank says, and what becomes of the withdrawal. The name never leaves.
const CASES: [account: string, bank: string, expect: string][] = [
  ['110-123-456789', '088', '200'],
  ['100012345678', '092', '200'],
  ['110000000001', '088', 'account_holder_differs'],
  ['110999999999', '088', 'account_holder_differs'],
  ['110123456789', '004', 'account_holder_differs'],
  ['110000000002', '088', 'service_unavailable'],
  ['110000000003', '088', 'service_unavailable'],
  ['110000000004', '088', 'service_unavailable'],
  ['110000000005', '088', 'service_unavailable'],
]
for (const [account, bank, expect] of CASES) {
  test(`${bank} ${account}: ${expect}`, async () => {
    const browser = await addRich()
    const answer = await ask(browser, account, bank)
    assert.equal(answer.status === 200 ? '200' : answer.body.code, expect, answer.text)
    assert.doesNotMatch(answer.text, /남의/)
    const left = expect === '200' ? 99_000 : 100_000
    assert.equal((await browser.get('/assets')).body.deposit, left)
  })
}

test('somebody else’s account and none at all are one answer', async () => {
  const browser = await addRich()
  const plain = { accept: 'application/json' }
  const body = { amount: 1_000, bank: '088' }
  const [theirs, none] = [
    await browser.post('/withdrawals', { ...body, requestId: newId(), account: '110000000001' }, plain),
    await browser.post('/withdrawals', { ...body, requestId: newId(), account: '110999999999' }, plain),
  ]
  assert.deepEqual([theirs.status, theirs.text], [none.status, none.text])
  assert.ok(service.log.some((line) => line.includes('payout account refused') && line.includes('absent')))
  assert.ok(!service.log.some((line) => line.includes('110000000001') || line.includes('남의')))
})

test('an outage refuses, and lets the withdrawal through once it is over', async () => {
  const browser = await addRich()
  const requestId = newId()
  const tryIt = () => ask(browser, '110123456789', '088', { requestId })
  for (const fault of ['reset_before', 'error_500', 'html', 'gateway_502'] as const) {
    standIn.breakAll(fault)
    const answer = await tryIt()
    assert.deepEqual([answer.status, answer.headers.has('retry-after')], [503, true])
  }
  standIn.breakAll(undefined)
  assert.equal((await browser.get('/assets')).body.deposit, 100_000)
  assert.equal((await tryIt()).status, 200)
  const asked = standIn.requests.length
  assert.equal((await tryIt()).status, 200, 'the same again')
  assert.equal(standIn.requests.length, asked, 'and nobody is asked for it')
})

test('a provider that says nothing is not waited for', async () => {
  const quick = createPortoneAccountHolder({
    url: standIn.url,
    apiSecret: new Secret(API_SECRET),
    watch: { onRequest: () => {} },
    timeouts: { answerMs: 100 },
  })
  standIn.breakAll('hang_after')
  assert.deepEqual(await quick.check({ bank: '088', account: '110123456789', holder: NAME }), {
    kind: 'unavailable',
  })
  standIn.breakAll(undefined)
  await quick.close()
})

test('nobody asks us whose accounts are: a few a day that do not match, in all sessions together', async () => {
  const person = newPerson()
  const { browser, loginId } = await addMember(service, person)
  await giveDeposit(service, loginId, 10_000n)
  const limit = GUESS_LIMITS.payout_account.account
  for (let i = 0; i < limit; i += 1) {
    assert.equal((await ask(browser, `1100000008${i}`)).body.code, 'account_holder_differs')
  }
  const asked = standIn.requests.length
  const limited = await ask(browser, '110123456789')
  assert.deepEqual([limited.status, limited.body.code], [429, 'too_many_requests'])
  const wait = Number(limited.headers.get('retry-after'))
  assert.ok(wait > DAY - 900 && wait <= DAY, String(wait))
  assert.equal(standIn.requests.length, asked)
  // A match costs nothing, and others are not stopped.
  const other = await addRich()
  for (let i = 0; i < limit + 1; i += 1) assert.equal((await ask(other, '110123456789')).status, 200)
  await advanceClock(database, { seconds: wait, actor: 'test' })
  await browser.post('/login', { loginId, password: 'correct horse battery' })
  await verify(browser, 'step_up', person)
  assert.equal((await ask(browser, '110123456789')).status, 200)
})

// What would be refused anyway is refused before the bank is asked, which costs.
for (const [code, amount, stopped] of [
  ['insufficient_balance', 100_000, false],
  ['withdrawals_stopped', 1_000, true],
] as const) {
  test(`${code}: the bank is not asked`, async () => {
    const { browser, loginId } = await addMember(service)
    await giveDeposit(service, loginId, 100_000n)
    const first = { requestId: newId() }
    assert.equal((await ask(browser, '110123456789', '088', first)).status, 200)
    const stop = `update member_account set withdrawals_stopped_at = case when $2 then service_now() end
                   where login_id = $1`
    await database.pool.query(stop, [loginId, stopped])
    const asked = standIn.requests.length
    assert.equal((await ask(browser, '110123456789', '088', { amount })).body.code, code)
    assert.equal((await ask(browser, '110123456789', '088', first)).status, 200, 'asked for before')
    assert.equal(standIn.requests.length, asked)
    await database.pool.query(stop, [loginId, false])
  })
}

test('the twenty-first of a day is refused before the bank is asked', async () => {
  const browser = await addRich()
  for (let i = 0; i < 20; i += 1) assert.equal((await ask(browser, '110123456789')).status, 200)
  const asked = standIn.requests.length
  assert.equal((await ask(browser, '110123456789')).status, 429)
  assert.equal(standIn.requests.length, asked)
})

test('closed in another tab while the bank is asked: nobody is signed in any more', async () => {
  const { browser, loginId } = await addMember(service)
  await giveDeposit(service, loginId, 100_000n)
  const answer = await whileLocked(database, loginId, () => ask(browser, '110123456789'), [
    `update member_account set closed_at = service_now(), password = null, logins_after = service_now()
      where login_id = $1`,
    `update web_session set ended_at = service_now()
      where account_id = (select id from member_account where login_id = $1)`,
    'delete from device where owner_id = (select id from member_account where login_id = $1)',
  ])
  assert.deepEqual([answer.status, answer.body.code], [401, 'unauthorized'])
})

test('in the sandbox every account is the member’s own, but for a few numbers', async () => {
  const sandbox = await startService(BEHIND_PROXY)
  const { browser, loginId } = await addMember(sandbox)
  await giveDeposit(sandbox, loginId, 10_000n)
  for (const [account, status] of [
    ['110123450000', 200],
    ['110123459901', 422],
    ['110123459902', 422],
    ['110123459903', 503],
  ] as const) {
    assert.equal((await ask(browser, account)).status, status, account)
  }
})
