import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { newId } from '#base/ids.ts'
import { createLog } from '#base/log.ts'
import { settleWithdrawal } from '#flows/withdrawals/settle-withdrawal.ts'
import { verifyBooksJob } from '#jobs/verify-books.ts'
import { Authenticator } from '#test/authenticator.ts'
import { markSent } from '#test/deliveries.ts'
import { persona } from '#test/identity.ts'
import {
  BEHIND_PROXY,
  Browser,
  newPerson,
  PASSWORD,
  signUp,
  type TestPerson,
  userInfoOf,
  verify,
} from '#test/member.ts'
import {
  advanceClock,
  freezeMember,
  grantAssets,
  issueApiKey,
  revokeApiKey,
  thawMember,
} from '#test/operator.ts'
import { SIGNUP, signupOf } from '#test/people.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { RECORDED } from '#test/release-recording.ts'
import { PHONE, startService } from '#test/service.ts'
import { feedPrice } from '#test/trading.ts'

// The last file of tools/record-release.ts. It adds what the test files clear or leave out, and what is under way when the
// old release stops. test/api/release-before.test.ts continues it. The people are known to no test file.
const service = await startService({
  environment: { ...BEHIND_PROXY.environment, PUBLIC_URL: RECORDED.origin },
})
const { database, url } = service
const partner = await service.addPartner()
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const queryRows = async (text: string, values: unknown[] = []) =>
  (await database.pool.query(text, values)).rows
const travel = (seconds: number) => advanceClock(database, { seconds, actor: 'test' })
const DAY = 86_400

// A persona's code is right in any process, so also after the upgrade.
function detailsOf(one: string): TestPerson {
  const { name, birthday, gender, mdn } = persona(one)
  return { name, birthday, gender, mdn, carrier: 'SKT' }
}

async function join(person: TestPerson, loginId: string): Promise<Browser> {
  const browser = new Browser(url)
  const joined = await signUp(browser, await verify(browser, 'sign_up', person), loginId)
  assert.equal(joined.status, 200, joined.text)
  return browser
}

async function addRichMember(person: TestPerson, loginId: string): Promise<Browser> {
  const { code } = partner.partner
  const linked = await partner.post(SIGNUP, signupOf(code, 'x', { userInfo: userInfoOf(person) }))
  assert.equal(linked.status, 200, linked.text)
  const link = { partner: code, partnerKey: linked.body.userKey }
  await grantAssets(database, { ...link, amounts: { KRW: 1_000_000n, KRW_POINT: 1_000n }, actor: 'test' })
  return join(person, loginId)
}

async function addPasskey(browser: Browser): Promise<Authenticator> {
  const device = new Authenticator(RECORDED)
  device.counter = 5
  const { publicKey } = (await browser.post('/passkeys/options')).body
  const added = await browser.post('/passkeys', { credential: device.make(publicKey) })
  assert.equal(added.status, 200, added.text)
  return device
}

async function withdraw(browser: Browser): Promise<string> {
  const wish = { requestId: newId(), amount: 10_000, bank: '088', account: '110123456789' }
  const asked = await browser.post('/withdrawals', wish)
  assert.equal(asked.status, 200, asked.text)
  return asked.body.id
}

async function settle(id: string, act: 'approve' | 'pay', actor: string): Promise<void> {
  const outcome = await settleWithdrawal(database, { id, act, actor, reason: 'test' })
  assert.equal(outcome.kind, 'done')
}

async function stopCodeOf(withdrawalId: string): Promise<string> {
  const [{ key, content }] = await queryRows('select key, content from notice where act_id = $1', [
    withdrawalId,
  ])
  return JSON.parse(keys.vault().open({ table: 'notice', column: 'content', row: key }, content)).stopCode
}

// One file sets the clock back, so part of the rows is later than now.
test('the clock passes everything that is recorded', async () => {
  const [{ seconds }] = await queryRows(
    `select ceil(extract(epoch from max(at) - service_now()))::int as seconds from audit_entry`,
  )
  await travel(Math.max(seconds, 0) + DAY)
})

test('an idempotency key that is free again, and one that still stands', async () => {
  const key = (name: string) => ({ 'idempotency-key': name })
  assert.equal((await partner.buy(RECORDED.purchase, key(RECORDED.oldKey))).status, 200)
  await travel(31 * DAY)
  assert.equal((await partner.buy(RECORDED.purchase, key(RECORDED.key))).status, 200)
})

test('messages that a provider has taken, and that it does not know', async () => {
  for (const status of ['accepted', 'unknown'] as const) {
    const { body } = await partner.buy({ phoneNumber: PHONE, amount: 1_000 })
    await markSent(service, body.data.giftId, { status })
  }
})

test('a member with passkeys, one of them blocked, and a statement', async () => {
  await feedPrice(database, 'XAU', 198_500n)
  await feedPrice(database, 'XAG', 2_480n)
  const browser = await addRichMember(newPerson({ mdn: '01077000001' }), RECORDED.loginId)
  await addPasskey(browser)
  const [removed] = (await browser.get('/passkeys')).body.passkeys
  assert.equal((await browser.delete(`/passkeys/${removed.id}`)).status, 200)
  await addPasskey(browser)
  const copied = await addPasskey(browser)
  const thief = new Browser(url)
  const { publicKey } = (await thief.post('/login/passkey/options')).body
  const refused = await thief.post('/login/passkey', { credential: copied.use(publicKey, { counter: 4 }) })
  assert.equal(refused.body.code, 'passkey_failed')

  const [{ today }] = await queryRows('select seoul_date(service_now())::text as today')
  const wish = { requestId: newId(), from: today, to: today, fullName: false }
  const issued = await browser.post('/statements', wish)
  assert.equal(issued.status, 200, issued.text)
  const forged = await browser.post('/statements/check', {
    number: issued.body.number,
    code: '0'.repeat(20),
  })
  assert.equal(forged.status, 404)
})

test('a member who was paid, recovered the account, stopped a withdrawal, was frozen and thawed', async () => {
  const [person, loginId] = [newPerson({ mdn: '01077000002' }), 'recorded2']
  const browser = await addRichMember(person, loginId)
  const paid = await withdraw(browser)
  await settle(paid, 'approve', 'first')
  await travel(2 * DAY)
  await settle(paid, 'pay', 'second')
  const verificationId = await verify(browser, 'recover', person)
  const recovered = await browser.post('/recover', { verificationId, password: 'another horse battery' })
  assert.equal(recovered.status, 200, recovered.text)
  const code = await stopCodeOf(await withdraw(browser))
  assert.equal((await new Browser(url).post('/stop', { code })).status, 200)
  await freezeMember(database, { member: loginId, reason: 'test', actor: 'test' })
  await thawMember(database, { member: loginId, reason: 'test', actor: 'test' })
})

test('a closed account, a key that was revoked and one that has its limits', async () => {
  const browser = await join(newPerson({ mdn: '01077000004' }), 'recorded4')
  assert.equal((await browser.post('/close', { password: PASSWORD, waive: true })).status, 204)
  const named = { code: partner.partner.code, mode: 'test', actor: 'test' } as const
  const { id } = await issueApiKey(database, { ...named, expiresInDays: 90, networks: ['203.0.113.0/24'] })
  await issueApiKey(database, { ...named, expiresInDays: 90, scopes: ['giftcards:read'] })
  await revokeApiKey(database, { id, afterMinutes: 0, actor: 'test' })
})

test('a member with another phone', async () => {
  const person = detailsOf('김하나')
  const browser = await join(person, 'recorded3')
  await verify(browser, 'step_up', { ...person, mdn: persona('김하나').newMdn! })
})

test('a verification of the books, and two people on their way to an account', async () => {
  await verifyBooksJob({
    database,
    keys,
    log: createLog('silent'),
    outside: () => ({ place: { host: '', folder: '' }, anchors: undefined }),
  })
  await verify(new Browser(url), 'sign_up', newPerson({ mdn: '01077000003' }))
  const begun = await new Browser(url).post('/identity', { purpose: 'sign_up', ...detailsOf('이두리') })
  assert.equal(begun.status, 200, begun.text)
})
