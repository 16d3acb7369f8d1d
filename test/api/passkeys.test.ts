import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { GUESS_LIMITS } from '#modules/guesses/rules.ts'
import { relyingPartyOf } from '#modules/passkeys/rules.ts'
import { Authenticator, type Lies } from '#test/authenticator.ts'
import { whileLocked } from '#test/locks.ts'
import { addMember, BEHIND_PROXY, Browser, logIn, PASSWORD, type TestMember, verify } from '#test/member.ts'
import { advanceClock, freezeMember, thawMember } from '#test/operator.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { startService } from '#test/service.ts'

const ORIGIN = 'http://localhost:4000'
const service = await startService({ environment: { ...BEHIND_PROXY.environment, PUBLIC_URL: ORIGIN } })
const { database, url } = service
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const travel = (seconds: number) => advanceClock(database, { seconds, actor: 'test' })
const newKey = () => new Authenticator({ origin: ORIGIN })
const rowsOf = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows

async function add({ browser }: Pick<TestMember, 'browser'>, key = newKey(), lies: Lies = {}) {
  const options = await browser.post('/passkeys/options')
  assert.equal(options.status, 200, options.text)
  return browser.post('/passkeys', { credential: key.make(options.body.publicKey, lies) })
}

async function addKey(member: Pick<TestMember, 'browser'>): Promise<Authenticator> {
  const key = newKey()
  const added = await add(member, key)
  assert.equal(added.status, 200, added.text)
  return key
}

async function logInWith(key: Authenticator, lies: Lies = {}, browser = new Browser(url)) {
  const options = await browser.post('/login/passkey/options')
  assert.equal(options.status, 200, options.text)
  return browser.post('/login/passkey', { credential: key.use(options.body.publicKey, lies) })
}

async function noticesOf(loginId: string): Promise<{ purpose: string; values: Record<string, string> }[]> {
  const rows = await rowsOf(
    `select n.key, n.purpose, n.content from notice n join member_account a on a.id = n.account_id
      where a.login_id = $1 order by n.id`,
    [loginId],
  )
  return rows.map(({ key, purpose, content }) => ({
    purpose,
    values: JSON.parse(keys.vault().open({ table: 'notice', column: 'content', row: key }, content)),
  }))
}

async function auditOf(loginId: string): Promise<string[]> {
  const rows = await rowsOf(
    `select e.action from audit_entry e join member_account a on a.id::text = e.subject
      where a.login_id = $1 order by e.id`,
    [loginId],
  )
  return rows.map(({ action }) => action)
}

test('added with a fresh identity, used to log in, renamed, removed; the member is told', async () => {
  const member = await addMember(service)
  const { browser, loginId } = member
  const options = (await browser.post('/passkeys/options')).body.publicKey
  assert.deepEqual(
    [options.rp, options.user.name, options.attestation, options.authenticatorSelection.userVerification],
    [{ id: 'localhost', name: 'Ingot' }, loginId, 'none', 'required'],
  )
  const key = await addKey(member)
  const again = (await browser.post('/passkeys/options')).body.publicKey
  assert.deepEqual(again.excludeCredentials[0].id, key.id.toString('base64url'))

  // In another browser: a session like that of a password, and a notice like that of one.
  const other = new Browser(url)
  const session = await logInWith(key, {}, other)
  assert.deepEqual(
    [session.status, session.body.loginId, session.body.mustVerify],
    [200, loginId, true],
    session.text,
  )
  assert.equal((await other.get('/assets')).status, 200)
  assert.equal((await other.post('/passkeys/options')).body.code, 'step_up_required')
  const [{ id, ...shown }] = (await browser.get('/passkeys')).body.passkeys
  assert.ok(shown.createdAt && shown.lastUsedAt && !shown.blocked)

  const renamed = await browser.post(`/passkeys/${id}`, { name: '  내\n전화 ' })
  assert.equal(renamed.body.passkeys[0].name, '내 전화')
  for (const name of ['   ', 'x'.repeat(41)]) {
    assert.equal((await browser.post(`/passkeys/${id}`, { name })).status, 400, name)
  }
  const stranger = (await addMember(service)).browser
  for (const answer of [
    await stranger.post(`/passkeys/${id}`, { name: 'mine' }),
    await stranger.send('DELETE', `/member/passkeys/${id}`),
  ])
    assert.equal(answer.status, 404)
  assert.equal((await other.send('DELETE', `/member/passkeys/${id}`)).body.code, 'step_up_required')
  const removed = await browser.send('DELETE', `/member/passkeys/${id}`)
  assert.deepEqual(removed.body, { passkeys: [], canAdd: true })
  assert.equal((await logInWith(key)).body.code, 'passkey_failed')
  assert.deepEqual(
    (await noticesOf(loginId)).map(({ purpose }) => purpose),
    ['passkey_added', 'new_device', 'passkey_removed'],
  )
  assert.deepEqual(await auditOf(loginId), [
    'member.signup',
    'member.passkey_add',
    'member.passkey_rename',
    'member.passkey_remove',
  ])
})

test('the id changes with the log-in, and the browser that was known stays known', async () => {
  const member = await addMember(service)
  const key = await addKey(member)
  const before = new Map(member.browser.cookies)
  const session = await logInWith(key, {}, member.browser)
  assert.deepEqual([session.status, session.body.mustVerify], [200, false])
  for (const name of ['ingot_member', 'ingot_device']) {
    assert.notEqual(member.browser.cookies.get(name), before.get(name), name)
  }
  const old = new Browser(url)
  old.cookies.set('ingot_member', before.get('ingot_member')!)
  assert.equal((await old.get('/profile')).status, 401)
  // Known, but identity is no longer fresh: nothing is added.
  assert.equal((await member.browser.post('/passkeys/options')).body.code, 'step_up_required')
})

const LIES: Record<string, Lies> = {
  'another origin': { origin: 'http://localhost:4001' },
  'an origin that begins like ours': { origin: `${ORIGIN}.evil.example` },
  'another site': { rpId: 'evil.example' },
  'another challenge': { challenge: Buffer.alloc(32).toString('base64url') },
  'nobody verified': { flags: 0x01 },
  'nobody present': { flags: 0x04 },
  'the other ceremony': { type: 'webauthn.payment' },
}

test('what a device signs has to be meant for us, now, by a person', async () => {
  const member = await addMember(service)
  const key = await addKey(member)
  for (const [name, lies] of Object.entries(LIES)) {
    assert.equal((await add(member, newKey(), lies)).body.code, 'passkey_failed', `add: ${name}`)
    assert.equal((await logInWith(key, lies)).body.code, 'passkey_failed', `log in: ${name}`)
  }
  const wrong: Record<string, Lies> = {
    'of another account': { userHandle: Buffer.alloc(16).toString('base64url') },
    'a signature of nothing': { signature: Buffer.alloc(70).toString('base64url') },
  }
  for (const [name, lies] of Object.entries(wrong)) {
    assert.equal((await logInWith(key, lies)).body.code, 'passkey_failed', name)
  }
  const forged = newKey()
  forged.id = key.id
  forged.userHandle = key.userHandle
  assert.equal((await logInWith(forged)).body.code, 'passkey_failed', 'another private key')
  assert.equal((await logInWith(newKey(), { userHandle: key.userHandle })).body.code, 'passkey_failed')
  // The same credential again, by its owner or somebody else.
  assert.equal((await add(member, key)).status, 409)
  const { userHandle } = key
  assert.equal((await add(await addMember(service), key)).status, 409)
  key.userHandle = userHandle
  assert.equal((await logInWith(key)).body.loginId, member.loginId)
})

test('a challenge is good once, for five minutes, in its own browser and session', async () => {
  const member = await addMember(service)
  const key = await addKey(member)
  const browser = new Browser(url)
  const begin = async () => (await browser.post('/login/passkey/options')).body.publicKey
  const finish = (options: { challenge: string }, who = browser) =>
    who.post('/login/passkey', { credential: key.use(options) })
  const first = await begin()
  assert.equal((await finish(first, new Browser(url))).body.code, 'passkey_failed', 'no cookie')
  assert.equal((await finish(first)).status, 200)
  assert.equal((await finish(first)).body.code, 'passkey_failed', 'twice')
  const late = await begin()
  await travel(301)
  assert.equal((await finish(late)).body.code, 'passkey_failed', 'too late')
  const raced = await begin()
  const answers = await Promise.all(Array.from({ length: 5 }, () => finish(raced)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  // A challenge to log in with is none to add with, and the other way round.
  await verify(member.browser, 'step_up', member.person)
  const toAdd = (await member.browser.post('/passkeys/options')).body.publicKey
  assert.equal((await finish(toAdd, member.browser)).body.code, 'passkey_failed')
  const toLogIn = (await member.browser.post('/login/passkey/options')).body.publicKey
  const made = newKey().make({ ...toLogIn, user: { id: key.userHandle } })
  assert.equal((await member.browser.post('/passkeys', { credential: made })).body.code, 'passkey_failed')
  // Of a session that has ended meanwhile, and another one.
  const left = (await member.browser.post('/passkeys/options')).body.publicKey
  await logIn(member.browser, member.loginId)
  await verify(member.browser, 'step_up', member.person)
  const tooLate = { credential: newKey().make(left) }
  assert.equal((await member.browser.post('/passkeys', tooLate)).body.code, 'passkey_failed')
})

test('a counter that goes back blocks the passkey, and tells the member; a forged one does not', async () => {
  const member = await addMember(service)
  const key = newKey()
  key.counter = 5
  assert.equal((await add(member, key)).status, 200)
  const forged = newKey()
  Object.assign(forged, { id: key.id, userHandle: key.userHandle })
  assert.equal((await logInWith(forged, { counter: 1 })).status, 401)
  assert.equal((await logInWith(key, { counter: 6 })).status, 200)
  for (const counter of [6, 7]) {
    assert.equal((await logInWith(key, { counter })).body.code, 'passkey_failed', String(counter))
  }
  assert.equal((await member.browser.get('/passkeys')).body.passkeys[0].blocked, true)
  const told = (await noticesOf(member.loginId)).map(({ purpose }) => purpose)
  assert.deepEqual(told, ['passkey_added', 'new_device', 'passkey_blocked'])
  assert.ok((await auditOf(member.loginId)).includes('member.passkey_block'))
  assert.ok(service.log.some((line) => line.includes('a passkey may have been copied')))
})

test('recovery removes every passkey: one of them may be the thief’s', async () => {
  const member = await addMember(service)
  const keysThen = [await addKey(member), await addKey(member)]
  const owner = new Browser(url)
  const verificationId = await verify(owner, 'recover', member.person)
  const password = 'another horse battery'
  assert.equal((await owner.post('/recover', { verificationId, password })).status, 200)
  for (const key of keysThen) assert.equal((await logInWith(key)).body.code, 'passkey_failed')
  assert.deepEqual((await owner.get('/passkeys')).body.passkeys, [])
  const told = (await noticesOf(member.loginId)).at(-1)!
  assert.deepEqual([told.purpose, told.values.passkeysRemoved], ['password', '2'])
  // Identity is fresh there: the owner's own is added again at once.
  await addKey({ browser: owner })
})

test('a thief’s passkey on its way is not added behind a recovery’s back', async () => {
  const member = await addMember(service)
  const options = (await member.browser.post('/passkeys/options')).body.publicKey
  const thief = newKey()
  const answer = await whileLocked(
    database,
    member.loginId,
    () => member.browser.post('/passkeys', { credential: thief.make(options) }),
    [
      `update web_session set ended_at = service_now()
        where account_id = (select id from member_account where login_id = $1)`,
    ],
  )
  assert.equal(answer.body.code, 'passkey_failed')
  assert.equal((await logInWith(thief)).body.code, 'passkey_failed')
})

test('a log-in on its way finds the passkey gone that a recovery removed', async () => {
  const member = await addMember(service)
  const key = await addKey(member)
  const answer = await whileLocked(database, member.loginId, () => logInWith(key), [
    `delete from passkey where account_id = (select id from member_account where login_id = $1)`,
  ])
  assert.equal(answer.body.code, 'passkey_failed')
})

test('a frozen member is turned away, and let in after the thaw', async () => {
  const member = await addMember(service)
  const key = await addKey(member)
  const command = { member: member.loginId, reason: 'test', actor: 'test' }
  await freezeMember(database, command)
  assert.equal((await logInWith(key)).body.code, 'account_frozen')
  await thawMember(database, command)
  assert.equal((await logInWith(key)).status, 200)
})

test('a closed account opens by no passkey', async () => {
  const member = await addMember(service)
  const key = await addKey(member)
  assert.equal((await member.browser.post('/close', { password: PASSWORD, waive: true })).status, 204)
  assert.equal((await logInWith(key)).body.code, 'passkey_failed')
  assert.deepEqual(await rowsOf('select id from passkey where credential_id = $1', [key.id]), [])
})

test('failures count by address; a known device is not kept out by them', async () => {
  const member = await addMember(service)
  const key = await addKey(member)
  const guesser = new Browser(url)
  const unknown = newKey()
  unknown.userHandle = key.userHandle
  assert.equal((await logInWith(unknown, {}, guesser)).status, 401)
  await rowsOf(
    `update guess_count set failures = $1 where (kind, scope, failures) = ('login', 'address', 1)`,
    [GUESS_LIMITS.login.address],
  )
  member.browser.headers = { ...guesser.headers }
  assert.equal((await logInWith(key, {}, guesser)).status, 429)
  assert.equal((await logInWith(key, {}, member.browser)).status, 200)
})

test('whoever begins log-ins without end is told to wait, and is in nobody’s way', async (t) => {
  const stopped = performance.now()
  t.mock.method(performance, 'now', () => stopped)
  const flooder = { 'x-forwarded-for': '203.0.113.78' }
  const begin = (headers?: typeof flooder) =>
    new Browser(url, '/member', headers).post('/login/passkey/options')
  const statuses: number[] = []
  for (let i = 0; i < 9; i += 1) {
    const wave = await Promise.all(Array.from({ length: 50 }, () => begin(flooder)))
    statuses.push(...wave.map(({ status }) => status))
  }
  assert.deepEqual(statuses.toSorted(), [...Array(400).fill(200), ...Array(50).fill(429)])
  assert.equal((await begin()).status, 200)
})

test('ten at most, five an hour', async () => {
  const member = await addMember(service)
  for (let i = 0; i < 5; i += 1) await addKey(member)
  assert.equal((await add(member)).status, 429)
  await travel(3_700)
  await logIn(member.browser, member.loginId)
  await verify(member.browser, 'step_up', member.person)
  for (let i = 0; i < 5; i += 1) await addKey(member)
  assert.equal((await member.browser.get('/passkeys')).body.canAdd, false)
  assert.equal((await member.browser.post('/passkeys/options')).status, 409)
})

test('hostile bodies change nothing, and statements with certificates are refused unread', async () => {
  const member = await addMember(service)
  const statements: [string, Lies][] = [
    ['fido-u2f', { format: 'fido-u2f', statement: { sig: Buffer.alloc(70), x5c: [Buffer.alloc(300)] } }],
    [
      'packed with certificates',
      { format: 'packed', statement: { alg: -7, sig: Buffer.alloc(70), x5c: [Buffer.alloc(300)] } },
    ],
    ['tpm', { format: 'tpm', statement: { x5c: [Buffer.alloc(10)] } }],
    ['unknown', { format: 'nonsense' }],
  ]
  for (const [name, lies] of statements) {
    assert.equal((await add(member, newKey(), lies)).body.code, 'passkey_failed', name)
  }
  const { publicKey } = (await member.browser.post('/passkeys/options')).body
  const good = newKey().make(publicKey)
  const bodies: unknown[] = [
    null,
    {},
    { credential: {} },
    { credential: { ...good, type: 'password' } },
    { credential: { ...good, id: '' } },
    { credential: { ...good, id: 'a b' } },
    { credential: { ...good, response: { ...good.response, attestationObject: 'x'.repeat(9_000) } } },
    { credential: { ...good, response: { ...good.response, transports: ['<script>'] } } },
  ]
  for (const body of bodies) {
    for (const path of ['/passkeys', '/login/passkey'])
      assert.equal((await member.browser.post(path, body)).status, 400, `${path} ${JSON.stringify(body)}`)
  }
  const garbage = { ...good, response: { ...good.response, attestationObject: 'AAAA' } }
  assert.equal((await member.browser.post('/passkeys', { credential: garbage })).body.code, 'passkey_failed')
  assert.deepEqual((await member.browser.get('/passkeys')).body.passkeys, [])
  assert.equal((await new Browser(url).get('/passkeys')).status, 401)
})

test('names are sealed: nothing of them is in the row', async () => {
  const member = await addMember(service)
  await addKey(member)
  const [{ id }] = (await member.browser.get('/passkeys')).body.passkeys
  await member.browser.post(`/passkeys/${id}`, { name: 'canary of Hana' })
  const [row] = await rowsOf('select p::text as text, name from passkey p where id = $1', [id])
  assert.ok(!row.text.includes('canary') && !row.name.includes('canary'))
  assert.equal(keys.vault().open({ table: 'passkey', column: 'name', row: id }, row.name), 'canary of Hana')
  assert.ok(!service.log.join().includes('canary'))
})

test('passkeys are offered where browsers know them', () => {
  const where: [string, string | undefined][] = [
    ['https://ingot.example', 'ingot.example'],
    ['https://ingot.example:8443/gift/', 'ingot.example'],
    ['http://localhost:3000', 'localhost'],
    ['http://ingot.localhost:3000', 'ingot.localhost'],
    ['http://127.0.0.1:3000', undefined],
    ['https://203.0.113.9', undefined],
    ['http://[::1]:3000', undefined],
    ['http://ingot.example', undefined],
  ]
  for (const [address, id] of where) assert.equal(relyingPartyOf(address)?.id, id, address)
})

test('a frozen member is not let in by a passkey either, and reads whom to ask', async () => {
  const member = await addMember(service)
  const key = await addKey(member)
  await freezeMember(database, { member: member.loginId, reason: 'test', actor: 'test' })
  const answer = await logInWith(key)
  assert.deepEqual([answer.status, answer.body.code], [403, 'account_frozen'], answer.text)
  assert.match(answer.body.contact, /@/)
})
