import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#base/ids.ts'
import { giveDeposit } from '#test/holders.ts'
import { addMember, BEHIND_PROXY, Browser, logIn, newPerson, PASSWORD, verify } from '#test/member.ts'
import { advanceClock } from '#test/operator.ts'
import { startService } from '#test/service.ts'

// What a password gives, and what only its owner's identity does. Fresh: verified in this session, ten minutes ago at most.
const service = await startService(BEHIND_PROXY)
const { database, url } = service
const travel = (minutes: number) => advanceClock(database, { seconds: minutes * 60, actor: 'test' })

const NOBODYS = '3f1e8b60-0000-4000-8000-000000000000'
const withdrawal = (changes = {}) => ({
  requestId: newId(),
  amount: 1_000,
  bank: '088',
  account: '110-123-456789',
  ...changes,
})

// Each is refused for want of identity, or gets past that: to `past`.
const ACTS: Record<string, { past: string; does(browser: Browser): Promise<string> }> = {
  trade: { past: 'quote_expired', does: (b) => codeOf(b, '/orders', { quoteId: NOBODYS }) },
  withdraw: { past: 'insufficient_balance', does: (b) => codeOf(b, '/withdrawals', withdrawal()) },
  cancel: { past: 'not_found', does: (b) => codeOf(b, `/withdrawals/${NOBODYS}/cancel`, {}) },
  password: { past: 'weak_password', does: (b) => codeOf(b, '/password', { current: PASSWORD, next: 'x' }) },
  close: { past: 'wrong_login', does: (b) => codeOf(b, '/close', { password: 'not it', waive: true }) },
  link: { past: 'not_found', does: (b) => codeOf(b, `/links/${NOBODYS}`, { decision: 'confirm' }) },
  look: { past: '200', does: async (b) => String((await b.get('/assets')).status) },
  card: { past: 'pin_mistyped', does: (b) => codeOf(b, '/cards/check', { pin: 'x' }) },
}

async function codeOf(browser: Browser, path: string, body: unknown): Promise<string> {
  const answer = await browser.post(path, body)
  return answer.body?.code ?? String(answer.status)
}

// Who asks, and how their session came about.
const SESSIONS = {
  // Signed up a moment ago.
  fresh: async () => (await addMember(service)).browser,
  // The password typed into another browser.
  thief: async () => {
    const { loginId } = await addMember(service)
    const browser = new Browser(url)
    await logIn(browser, loginId)
    return browser
  },
  // Logged in again where identity was verified once.
  known: async () => {
    const { browser, loginId } = await addMember(service)
    await logIn(browser, loginId)
    return browser
  },
  // Verified, but too long ago.
  stale: async () => {
    const { browser } = await addMember(service)
    await travel(10)
    return browser
  },
  // Verified now.
  again: async () => {
    const { browser, loginId, person } = await addMember(service)
    await logIn(browser, loginId)
    await verify(browser, 'step_up', person)
    return browser
  },
  // A new password by identity.
  recovered: async () => {
    const { person } = await addMember(service)
    const browser = new Browser(url)
    const verificationId = await verify(browser, 'recover', person)
    assert.equal((await browser.post('/recover', { verificationId, password: PASSWORD })).status, 200)
    return browser
  },
} as const

const PASSES: Record<keyof typeof ACTS, readonly (keyof typeof SESSIONS)[]> = {
  trade: ['fresh', 'known', 'stale', 'again', 'recovered'],
  cancel: ['fresh', 'known', 'stale', 'again', 'recovered'],
  link: ['fresh', 'known', 'stale', 'again', 'recovered'],
  withdraw: ['fresh', 'again', 'recovered'],
  password: ['fresh', 'again', 'recovered'],
  close: ['fresh', 'again', 'recovered'],
  look: ['fresh', 'thief', 'known', 'stale', 'again', 'recovered'],
  card: ['fresh', 'thief', 'known', 'stale', 'again', 'recovered'],
}

for (const [session, open] of Object.entries(SESSIONS)) {
  for (const [act, { past, does }] of Object.entries(ACTS)) {
    const expected = PASSES[act]!.includes(session as keyof typeof SESSIONS) ? past : 'step_up_required'
    test(`${session}: ${act}: ${expected}`, async () => {
      assert.equal(await does(await open()), expected)
    })
  }
}

test('somebody else’s identity makes no session fresh', async () => {
  const { browser } = await addMember(service)
  await travel(10)
  const begun = await browser.post('/identity', { purpose: 'step_up', ...newPerson() })
  const confirm = `/identity/${begun.body.verificationId}/confirm`
  assert.equal(await codeOf(browser, confirm, { code: '000000' }), 'other_person')
  assert.equal(await ACTS.withdraw!.does(browser), 'step_up_required')
})

test('a withdrawal whose answer was lost gets it, fresh or not, and another does not', async () => {
  const { browser, loginId } = await addMember(service)
  await giveDeposit(service, loginId, 10_000n)
  const body = withdrawal()
  const first = await browser.post('/withdrawals', body)
  assert.equal(first.status, 200, first.text)
  await travel(11)
  const again = await browser.post('/withdrawals', body)
  assert.deepEqual([again.status, again.body], [200, first.body])
  const elsewhere = new Browser(url)
  await logIn(elsewhere, loginId)
  assert.deepEqual((await elsewhere.post('/withdrawals', body)).body, first.body)
  assert.equal(await codeOf(browser, '/withdrawals', { ...body, amount: 999 }), 'conflict')
  assert.equal(await codeOf(browser, '/withdrawals', withdrawal()), 'step_up_required')
  assert.equal((await browser.get('/assets')).body.deposit, 9_000)
  const stranger = (await addMember(service)).browser
  assert.equal(await codeOf(stranger, '/withdrawals', body), 'insufficient_balance')
})

for (const bank of ['000', '999', '030', '09', 'abc', '0888']) {
  test(`no bank has the code ${bank}`, async () => {
    const { browser } = await addMember(service)
    assert.equal(await codeOf(browser, '/withdrawals', withdrawal({ bank })), 'invalid_request')
  })
}
