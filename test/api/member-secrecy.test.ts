import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { newPin } from '#modules/gift-cards/pin.ts'
import { assertHides } from '#test/hidden.ts'
import { BEHIND_PROXY, Browser, ciOfPerson, newPerson, PASSWORD, signUp, verify } from '#test/member.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { PHONE, startService } from '#test/service.ts'

// Canaries: whatever a member types, in good calls and bad ones, at the log's chattiest level.
const service = await startService({ ...BEHIND_PROXY, logLevel: 'trace' })
const { database, url } = service
const person = newPerson({ name: '남궁카나리아', birthday: '19770707', mdn: '01077665544' })
const browser = new Browser(url)
const NEXT = 'canary-next-password'
const WRONG = 'canary-wrong-password'
const CODE = '918273'
const secrets = [
  person.name,
  person.birthday,
  person.mdn,
  ciOfPerson(person),
  PASSWORD,
  NEXT,
  WRONG,
  CODE,
  browser.headers['x-forwarded-for']!,
]

test('calls of every kind are made', async () => {
  const begun = (await browser.post('/identity', { purpose: 'sign_up', ...person })).body
  const statuses = [
    await browser.post(`/identity/${begun.verificationId}/confirm`, { code: CODE }),
    await browser.post('/identity', { purpose: 'sign_up', ...person, birthday: '20991231' }),
    await browser.post('/identity', { purpose: 'sign_up', ...person, name: `${person.name}\n` }),
    await signUp(browser, await verify(browser, 'sign_up', person), 'canary'),
    await browser.post('/login', { loginId: 'canary', password: WRONG }),
    await browser.post('/login', { loginId: person.mdn, password: WRONG }),
    await browser.post('/login', { loginId: 'canary', password: [WRONG] }),
    await browser.post('/password', { current: PASSWORD, next: NEXT }),
  ].map((answer) => {
    assertHides(answer.text, secrets, answer.text)
    return answer.status
  })
  assert.deepEqual(statuses, [422, 400, 400, 200, 401, 401, 400, 204])
  await verify(browser, 'recover', person)
  const partner = await service.addPartner()
  const { giftId } = (await partner.buy({ phoneNumber: PHONE, amount: 100 })).body.data
  const { rows } = await database.pool.query('select pin from gift_card where id = $1', [giftId])
  const keys = await openVaultKeeper(database, TEST_RING_STORE)
  const pin = keys.vault().open({ table: 'gift_card', column: 'pin', row: giftId }, rows[0].pin)
  const absent = newPin().reveal()
  assert.equal((await browser.post('/cards/check', { pin: absent })).status, 422)
  assert.equal((await browser.post('/cards/check', { pin })).status, 200)
  assert.equal((await browser.post('/cards/redeem', { pin })).status, 200)
  assert.equal((await browser.get(`/cards/${pin}?pin=${pin}`)).status, 404)
  secrets.push(pin, absent, browser.cookies.get('ingot_member')!, browser.cookies.get('ingot_device')!)
})

test('the log at every level holds nothing of it', () => {
  const log = service.log.join('')
  assert.ok(service.log.length > 15)
  assertHides(log, secrets, 'the log')
})

test('a dump of the database holds nothing of it', async () => {
  const { rows: tables } = await database.pool.query(
    `select tablename from pg_tables where schemaname = 'public'`,
  )
  let dump = ''
  for (const { tablename } of tables) {
    const { rows } = await database.pool.query(`select t::text as row from ${tablename} t`)
    dump += rows.map(({ row }) => row).join('\n')
  }
  assert.ok(dump.includes('canary') && dump.includes('$argon2id$'), 'the dump is of the right database')
  assertHides(dump, [...secrets, ...secrets.map((secret) => Buffer.from(secret).toString('hex'))], 'the dump')
})
