import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { forgetOldLogins } from '#jobs/forget-old-logins.ts'
import type { Asset } from '#modules/ledger/types.ts'
import {
  addMember,
  BEHIND_PROXY,
  Browser,
  logIn,
  newPerson,
  PASSWORD,
  signUp,
  type TestPerson,
  userInfoOf,
  verify,
} from '#test/member.ts'
import { advanceClock, grantAssets } from '#test/operator.ts'
import { ASSET, HASH, SIGNUP, signupOf } from '#test/people.ts'
import { startService } from '#test/service.ts'

const service = await startService(BEHIND_PROXY)
const { database, url } = service
const partner = await service.addPartner()
const { code } = partner.partner

async function linkTo(person: TestPerson, holds: Partial<Record<Asset, bigint>> = {}) {
  const { userKey } = (await partner.post(SIGNUP, signupOf(code, 'x', { userInfo: userInfoOf(person) }))).body
  const named = { partner: code, partnerKey: userKey }
  if (Object.keys(holds).length > 0) await grantAssets(database, { ...named, amounts: holds, actor: 'test' })
  return named
}

const close = (browser: Browser, waive: boolean, password = PASSWORD) =>
  browser.post('/close', { password, waive })

const LEFT: [holds: Partial<Record<Asset, bigint>>, waive: boolean, closes: boolean][] = [
  [{}, false, true],
  [{ KRW_POINT: 999n }, false, false],
  [{ KRW_POINT: 999n }, true, true],
  [{ KRW_POINT: 600n, KRW: 400n }, true, false],
  [{ XAU: 1n }, false, false],
  [{ XAU: 1n, XAG: 1n, KRW: 3n }, true, true],
  [{ XAU: 100n }, true, false],
]
for (const [holds, waive, closes] of LEFT) {
  const what = Object.entries(holds).map(([asset, amount]) => `${amount} ${asset}`)
  test(`holding ${what.join(', ') || 'nothing'}, ${waive ? 'let go' : 'kept'}: ${closes ? 'closed' : 'open'}`, async () => {
    const { browser, person } = await addMember(service)
    await linkTo(person, holds)
    const answer = await close(browser, waive)
    assert.deepEqual(
      [answer.status, answer.body?.code],
      closes ? [204, undefined] : [409, 'assets_remain'],
      answer.text,
    )
    assert.equal((await browser.get('/session')).body.signedIn, !closes)
  })
}

test('a withdrawal that is on its way keeps it open', async () => {
  const { browser, person } = await addMember(service)
  await linkTo(person, { KRW: 500n })
  const wish = { requestId: randomUUID(), amount: 500, bank: '088', account: '110-123-456789' }
  const asked = await browser.post('/withdrawals', wish)
  assert.equal(asked.status, 200, asked.text)
  assert.equal((await close(browser, true)).body.code, 'assets_remain')
  assert.equal((await browser.post(`/withdrawals/${asked.body.id}/cancel`, {})).status, 200)
  assert.equal((await close(browser, true)).status, 204)
})

test('closed: nobody gets in, partners see nothing, the id is gone, and the person may come again', async () => {
  const { browser, person, loginId } = await addMember(service)
  const named = await linkTo(person, { KRW_POINT: 10n })
  const { hashKey } = (await partner.post(HASH, named)).body
  const view = new Browser(url, '/webview/member')
  await view.enter(hashKey)
  assert.equal((await close(browser, true, 'a wrong password')).body.code, 'wrong_login')
  assert.equal((await close(browser, true)).status, 204)
  assert.deepEqual(
    [
      (await browser.get('/profile')).status,
      (await view.get('/links')).status,
      (await logIn(new Browser(url), loginId)).status,
    ],
    [401, 401, 401],
  )
  assert.deepEqual(
    [(await partner.post(ASSET, named)).status, (await partner.post(HASH, named)).status],
    [403, 403],
  )
  const { rows } = await database.pool.query('select * from member_account where login_id = $1', [loginId])
  assert.deepEqual([rows[0].password, rows[0].closed_at !== null], [null, true])

  const again = new Browser(url)
  const lost = await verify(again, 'recover', person)
  assert.equal(
    (await again.post('/recover', { verificationId: lost, password: PASSWORD })).body.code,
    'identity_failed',
  )
  const id = await verify(again, 'sign_up', person)
  assert.equal((await signUp(again, id, loginId)).body.code, 'login_id_taken')
  assert.equal((await signUp(again, id, 'back.again')).status, 200)
  const { links } = (await again.get('/links')).body
  assert.equal(links[0].state, 'refused')
  assert.equal((await again.post(`/links/${links[0].id}`, { decision: 'confirm' })).status, 200)
  assert.equal((await partner.post(ASSET, named)).body.points, 0)
})

test('five years later nobody knows any more who it was', async () => {
  const { browser, loginId } = await addMember(service)
  const open = await addMember(service, newPerson())
  await close(browser, false)
  const details = async (id: string) =>
    (await database.pool.query('select details from member_account where login_id = $1', [id])).rows[0]
      .details
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  await forgetOldLogins({ database, log })
  assert.ok(await details(loginId))
  await advanceClock(database, { seconds: 5 * 366 * 86_400, actor: 'test' })
  await forgetOldLogins({ database, log })
  assert.deepEqual([await details(loginId), (await details(open.loginId)) !== null], [null, true])
  const { rows } = await database.pool.query('select destination from withdrawal')
  assert.deepEqual(rows, [{ destination: null }])
})
