import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { persona } from '#test/identity.ts'
import { whileLocked } from '#test/locks.ts'
import {
  addMember,
  BEHIND_PROXY,
  Browser,
  logIn,
  newPerson,
  PASSWORD,
  type TestPerson,
  verify,
} from '#test/member.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { startService } from '#test/service.ts'

// The number that notices go to is the one that the carrier knew the member by when identity was last verified.
const service = await startService(BEHIND_PROXY)
const { database, url } = service
const { name, birthday, gender, mdn: oldMdn, newMdn } = persona('김하나')
const old: TestPerson = { name, birthday, gender, mdn: oldMdn, carrier: 'SKT' }
const moved: TestPerson = { ...old, mdn: newMdn! }
const { browser, loginId } = await addMember(service, old)

const shownMdn = async (of = browser) => (await of.get('/profile')).body.mdn
const changes = async () =>
  (
    await database.pool.query(`select details from audit_entry where action = 'member.details' order by id`)
  ).rows.map(({ details }) => details)

// The numbers that notices of a changed phone go to. What they say is in notices.test.ts.
async function told(): Promise<string[]> {
  const vault = (await openVaultKeeper(database, TEST_RING_STORE)).vault()
  const { rows } = await database.pool.query(`select key, recipient from notice where purpose = 'phone'`)
  const open = (key: string, sealed: Buffer) =>
    vault.open({ table: 'notice', column: 'recipient', row: key }, sealed)
  return rows.map(({ key, recipient }) => open(key, recipient)).toSorted()
}

test('verified with the same phone, nothing is changed', async () => {
  await verify(browser, 'step_up', old)
  assert.equal(await shownMdn(), '010-****-0001')
  assert.deepEqual(await changes(), [])
  assert.deepEqual(await told(), [])
})

test('a session that ends while another phone is verified in it changes nothing', async () => {
  const other = new Browser(url)
  assert.equal((await logIn(other, loginId)).status, 200)
  const id = (await other.post('/identity', { purpose: 'step_up', ...moved })).body.verificationId
  const confirm = () => other.post(`/identity/${id}/confirm`, { code: '000000' })
  const answer = await whileLocked(database, loginId, confirm, [
    `update web_session set ended_at = service_now() where id = (
       select s.id from web_session s join member_account a on a.id = s.account_id
        where a.login_id = $1 order by s.created_at desc limit 1)`,
  ])
  assert.equal(answer.body.code, 'identity_failed', answer.text)
  assert.equal(await shownMdn(), '010-****-0001')
  assert.deepEqual(await changes(), [])
  assert.deepEqual(await told(), [])
})

test('verified with another phone of their own: it is the account’s, and both numbers hear of it', async () => {
  await verify(browser, 'step_up', moved)
  assert.equal(await shownMdn(), '010-****-0009')
  assert.deepEqual(await changes(), [{ changed: ['mdn'] }])
  assert.deepEqual(await told(), ['+821000010001', '+821000020009'])
})

test('a new password by identity takes the number along, and somebody else’s phone changes nothing', async () => {
  const begun = await browser.post('/identity', { purpose: 'step_up', ...newPerson() })
  const id = begun.body.verificationId
  assert.equal((await browser.post(`/identity/${id}/confirm`, { code: '000000' })).body.code, 'other_person')
  assert.equal(await shownMdn(), '010-****-0009')
  const lost = new Browser(url)
  const verificationId = await verify(lost, 'recover', old)
  assert.equal((await lost.post('/recover', { verificationId, password: PASSWORD })).status, 200)
  assert.equal(await shownMdn(lost), '010-****-0001')
  assert.equal((await changes()).length, 2)
})
