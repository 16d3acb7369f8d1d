import assert from 'node:assert/strict'
import { test } from 'node:test'
import { persona } from '#test/identity.ts'
import {
  AGREED,
  addMember,
  BEHIND_PROXY,
  Browser,
  logIn,
  newPerson,
  PASSWORD,
  signUp,
  userInfoOf,
  verify,
} from '#test/member.ts'
import { advanceClock } from '#test/operator.ts'
import { SIGNUP, signupOf } from '#test/people.ts'
import { startService } from '#test/service.ts'

const service = await startService({ ...BEHIND_PROXY, logLevel: 'trace' })
const { database, url } = service
const travel = (seconds: number) => advanceClock(database, { seconds, actor: 'test' })
const MINUTE = 60

const count = async (text: string, values: unknown[] = []) =>
  Number((await database.pool.query(text, values)).rows[0].count)

test('nobody is signed in at first, and the sandbox has people to try it with', async () => {
  const browser = new Browser(url)
  const { status, body } = await browser.get('/session')
  assert.deepEqual(
    [status, body],
    [
      200,
      {
        signedIn: false,
        sandbox: true,
        kind: null,
        name: null,
        loginId: null,
        partner: null,
        mustVerify: false,
        undecidedLinks: 0,
        linkRefused: false,
      },
    ],
  )
  const { personas } = (await browser.get('/personas')).body
  assert.ok(personas.length > 3)
  assert.deepEqual(Object.keys(personas[0]), ['name', 'birthday', 'gender', 'mdn', 'carrier', 'note'])
})

test('a person signs up with a verified identity, and is signed in', async () => {
  const browser = new Browser(url)
  const person = newPerson()
  const begun = await browser.post('/identity', { purpose: 'sign_up', ...person })
  assert.deepEqual([begun.status, begun.body.sandboxCode], [200, '000000'])
  const { verificationId } = begun.body
  const confirm = (code: string) => browser.post(`/identity/${verificationId}/confirm`, { code })
  assert.equal((await signUp(browser, verificationId, 'early.bird')).body.code, 'identity_failed')
  assert.equal((await confirm('123456')).body.code, 'wrong_code')
  await travel(60)
  assert.equal((await browser.post(`/identity/${verificationId}/resend`)).status, 200)
  const proven = await confirm('000000')
  assert.deepEqual(
    [proven.status, proven.body],
    [200, { purpose: 'sign_up', name: '김*나', isMember: false, loginId: null, knownThrough: [] }],
  )
  // The answer was lost, so the code is typed again.
  assert.equal((await confirm('000000')).status, 200)
  assert.equal((await signUp(browser, verificationId, 'hana90', 'short')).body.code, 'weak_password')
  assert.equal(
    (await signUp(browser, verificationId, 'hana90', `hana90${person.mdn}`)).body.code,
    'weak_password',
  )
  const answer = await signUp(browser, verificationId, 'hana90')
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(
    [answer.body.signedIn, answer.body.kind, answer.body.name, answer.body.loginId, answer.body.mustVerify],
    [true, 'member', '김*나', 'hana90', false],
  )
  const [session, device] = answer.headers.getSetCookie()
  assert.match(session!, /^ingot_member=[\w-]{43}; Path=\/member; HttpOnly; Secure; SameSite=Lax$/)
  assert.match(
    device!,
    /^ingot_device=[\w-]{43}; Path=\/member; Max-Age=31536000; HttpOnly; Secure; SameSite=Lax$/,
  )
  assert.deepEqual((await browser.get('/session')).body, answer.body)
  // Used once.
  assert.equal((await signUp(new Browser(url), verificationId, 'hana91')).body.code, 'identity_failed')
  const { body: profile } = await browser.get('/profile')
  assert.deepEqual(
    [profile.loginId, profile.name, profile.birthday, profile.mdn, profile.marketing],
    ['hana90', '김*나', '1992****', `010-****-${person.mdn.slice(-4)}`, false],
  )
  assert.equal((await browser.post('/profile', { marketing: true })).body.marketing, true)
  assert.equal((await browser.post('/profile', { marketing: true })).body.marketing, true)
  assert.equal(
    await count(
      `select count(*) from member_consent c join member_account a on a.id = c.account_id where a.login_id = 'hana90'`,
    ),
    4,
  )
})

test('an id is given once, and a person has one account', async () => {
  const { person, loginId } = await addMember(service)
  const again = new Browser(url)
  const id = await verify(again, 'sign_up', person)
  assert.equal((await signUp(again, id, 'someone.else')).body.code, 'already_member')
  const other = new Browser(url)
  const otherId = await verify(other, 'sign_up', newPerson())
  assert.equal((await signUp(other, otherId, loginId)).body.code, 'login_id_taken')
  // The verification is still good for another id.
  assert.equal((await signUp(other, otherId, 'free.one')).status, 200)
  for (const bad of ['ABC', 'ab', '1abc', 'a b c d', 'a'.repeat(31)]) {
    const answer = await other.post('/signup', {
      verificationId: otherId,
      loginId: bad,
      password: PASSWORD,
      agreed: AGREED,
    })
    assert.equal(answer.body.code, 'invalid_request', bad)
  }
})

test('two signups of one person at once make one member and one account', async () => {
  for (let round = 0; round < 5; round += 1) {
    const person = newPerson()
    const partner = await service.addPartner()
    const browsers = Array.from({ length: 4 }, () => new Browser(url))
    const ids = await Promise.all(browsers.map((browser) => verify(browser, 'sign_up', person)))
    const [linked, ...answers] = await Promise.all([
      partner.post(SIGNUP, signupOf(partner.partner.code, 'x', { userInfo: userInfoOf(person) })),
      ...browsers.map((browser, i) => signUp(browser, ids[i]!, `racer${round}.${i % 2}`)),
    ])
    assert.equal(linked.status, 200)
    assert.deepEqual(answers.map(({ status, body }) => (status === 200 ? 'opened' : body.code)).toSorted(), [
      'already_member',
      'already_member',
      'already_member',
      'opened',
    ])
    assert.equal(
      await count(
        `select count(distinct a.member_id) from member_account a join partner_user u on u.member_id = a.member_id
          where a.login_id like $1 and u.partner_id = $2`,
        [`racer${round}.%`, partner.partner.id],
      ),
      1,
    )
  }
})

test('one id wanted by two people at once is given to one', async () => {
  const browsers = Array.from({ length: 4 }, () => new Browser(url))
  const ids = await Promise.all(browsers.map((browser) => verify(browser, 'sign_up', newPerson())))
  const answers = await Promise.all(browsers.map((browser, i) => signUp(browser, ids[i]!, 'wanted')))
  assert.deepEqual(answers.map(({ status, body }) => (status === 200 ? 'opened' : body.code)).toSorted(), [
    'login_id_taken',
    'login_id_taken',
    'login_id_taken',
    'opened',
  ])
})

test('children and foreign nationals are told, and nothing of them is kept', async () => {
  const before = await count('select count(*) from member')
  for (const [who, code] of [
    [persona('박어린'), 'under_age'],
    [newPerson({ birthday: '20200101' }), 'under_age'],
  ] as const) {
    const { name, birthday, gender, mdn, carrier } = who
    const answer = await new Browser(url).post('/identity', {
      purpose: 'sign_up',
      ...{ name, birthday, gender, mdn, carrier },
    })
    assert.deepEqual([answer.status, answer.body.code], [403, code])
  }
  const { personas } = (await new Browser(url).get('/personas')).body
  const browser = new Browser(url)
  let foreigners = 0
  for (const { note, ...who } of personas) {
    if (!/foreign/i.test(note.en)) continue
    foreigners += 1
    const { verificationId } = (await browser.post('/identity', { purpose: 'sign_up', ...who })).body
    const answer = await browser.post(`/identity/${verificationId}/confirm`, { code: '000000' })
    assert.deepEqual([answer.status, answer.body.code], [403, 'not_eligible'])
    assert.equal((await signUp(browser, verificationId, 'foreigner')).body.code, 'identity_failed')
    assert.equal(
      await count(
        'select count(*) from identity_verification where id = $1 and mdn is null and person is null',
        [verificationId],
      ),
      1,
    )
  }
  assert.ok(foreigners > 0)
  assert.equal(await count('select count(*) from member'), before)
})

test('a verification is good for ten minutes, and ten more once it is proven, and for its purpose only', async () => {
  const browser = new Browser(url)
  const person = newPerson()
  const slow = (await browser.post('/identity', { purpose: 'sign_up', ...person })).body.verificationId
  const proven = await verify(browser, 'sign_up', person)
  assert.equal(
    (await browser.post('/recover', { verificationId: proven, password: PASSWORD })).body.code,
    'identity_failed',
  )
  await travel(10 * MINUTE + 1)
  assert.equal((await browser.post(`/identity/${slow}/confirm`, { code: '000000' })).status, 404)
  assert.equal((await signUp(browser, proven, 'too.late')).body.code, 'identity_failed')
  for (const id of ['3f1e8b60-0000-4000-8000-000000000000', proven]) {
    assert.equal((await browser.post(`/identity/${id}/confirm`, { code: '000000' })).status, 404)
  }
})

test('log in, log out, and the cookie is another every time', async () => {
  const { browser, loginId } = await addMember(service)
  const first = browser.cookies.get('ingot_member')!
  const again = await logIn(browser, loginId)
  assert.equal(again.status, 200)
  assert.notEqual(browser.cookies.get('ingot_member'), first)
  const old = new Browser(url)
  old.cookies.set('ingot_member', first)
  assert.equal((await old.get('/profile')).status, 401)
  assert.equal((await browser.post('/logout')).status, 204)
  assert.equal((await browser.get('/session')).body.signedIn, false)
  const stranger = new Browser(url)
  const wrong = [await logIn(stranger, loginId, 'wrong password'), await logIn(stranger, 'nobody.here')]
  assert.deepEqual(
    wrong.map(({ status, body }) => [status, body.code]),
    [
      [401, 'wrong_login'],
      [401, 'wrong_login'],
    ],
  )
})

test('whoever proves who they are need not wait for what others tried with the id', async () => {
  const { person, loginId } = await addMember(service)
  for (let i = 0; i < 10; i += 1) await logIn(new Browser(url), loginId, 'a wrong password')
  assert.equal((await logIn(new Browser(url), loginId)).status, 429)
  const lost = new Browser(url)
  const verificationId = await verify(lost, 'recover', person)
  assert.equal(
    (await lost.post('/recover', { verificationId, password: 'another horse battery' })).status,
    200,
  )
  assert.equal((await logIn(new Browser(url), loginId, 'another horse battery')).status, 200)
})

test('what cannot be an id is nobody’s', async () => {
  for (const id of ['a\u0000b', '김하나', 'x', '\ud800abc'])
    assert.equal((await logIn(new Browser(url), id)).body.code, 'wrong_login', id)
})

test('recovery sets the password and ends every session', async () => {
  const { browser, person, loginId } = await addMember(service)
  const lost = new Browser(url)
  const { verificationId } = (await lost.post('/identity', { purpose: 'recover', ...person })).body
  const told = await lost.post(`/identity/${verificationId}/confirm`, { code: '000000' })
  assert.deepEqual([told.body.isMember, told.body.loginId], [true, loginId])
  assert.equal((await lost.post('/recover', { verificationId, password: 'weak' })).body.code, 'weak_password')
  const answer = await lost.post('/recover', { verificationId, password: 'another horse battery' })
  assert.deepEqual([answer.status, answer.body.loginId], [200, loginId])
  assert.equal((await browser.get('/profile')).status, 401)
  assert.equal((await logIn(new Browser(url), loginId)).status, 401)
  assert.equal((await logIn(new Browser(url), loginId, 'another horse battery')).status, 200)
  // Somebody who has no account.
  const nobody = new Browser(url)
  const id = await verify(nobody, 'recover', newPerson())
  assert.equal(
    (await nobody.post('/recover', { verificationId: id, password: PASSWORD })).body.code,
    'identity_failed',
  )
})

test('the password is changed by whoever knows it, and other sessions end', async () => {
  const { browser, loginId } = await addMember(service)
  const other = new Browser(url)
  await logIn(other, loginId)
  const change = (current: string, next: string) => browser.post('/password', { current, next })
  assert.equal((await change('wrong horse', 'another horse battery')).body.code, 'wrong_login')
  assert.equal((await change(PASSWORD, 'short')).body.code, 'weak_password')
  assert.equal((await change(PASSWORD, PASSWORD)).body.code, 'weak_password')
  assert.equal((await change(PASSWORD, 'another horse battery')).status, 204)
  assert.equal((await browser.get('/profile')).status, 200)
  assert.equal((await other.get('/profile')).status, 401)
  assert.equal((await logIn(other, loginId)).status, 401)
})

test('sessions are listed and ended by their member, and by nobody else', async () => {
  const { browser, loginId } = await addMember(service)
  const phone = new Browser(url, '/member', {
    'user-agent': 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/153.0.0.0 Mobile Safari/537.36',
  })
  await logIn(phone, loginId)
  const { sessions } = (await browser.get('/sessions')).body
  assert.deepEqual(
    sessions.map(({ current, device, partner }: Record<string, unknown>) => [current, device, partner]),
    [
      [false, 'Chrome · Android', null],
      [true, '', null],
    ],
  )
  const stranger = (await addMember(service)).browser
  const path = `/member/sessions/${sessions[0].id}`
  assert.equal((await stranger.send('DELETE', path)).status, 404)
  assert.equal((await browser.send('DELETE', path)).status, 204)
  assert.equal((await browser.send('DELETE', path)).status, 404)
  assert.equal((await phone.get('/profile')).status, 401)
  await logIn(phone, loginId)
  assert.equal((await phone.post('/sessions/end-others')).status, 204)
  assert.deepEqual([(await phone.get('/profile')).status, (await browser.get('/profile')).status], [200, 401])
})

test('a session ends after half an hour without a word, and after eight hours', async () => {
  const { browser, loginId } = await addMember(service)
  await travel(29 * MINUTE)
  assert.equal((await browser.get('/profile')).status, 200)
  await travel(30 * MINUTE)
  assert.equal((await browser.get('/profile')).status, 401)
  await logIn(browser, loginId)
  for (let spent = 0; spent < 8 * 60; spent += 29) {
    assert.equal((await browser.get('/profile')).status, 200)
    await travel(29 * MINUTE)
  }
  assert.equal((await browser.get('/profile')).status, 401)
})

test('two cookies that are both alive open nothing', async () => {
  const [mine, planted] = [await addMember(service), await addMember(service)]
  const cookie = [mine, planted]
    .map(({ browser }) => `ingot_member=${browser.cookies.get('ingot_member')}`)
    .join('; ')
  const answer = await new Browser(url).get('/profile', { cookie })
  assert.equal(answer.status, 401)
})

test('under an IP address there are no passkeys', async () => {
  const { browser } = await addMember(service)
  for (const answer of [
    await browser.post('/login/passkey/options'),
    await browser.post('/passkeys/options'),
    await browser.get('/passkeys'),
  ])
    assert.equal(answer.status, 404)
})
