import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fingerprintOf } from '#base/crypto/token.ts'
import { noteFailedSignIn } from '#flows/staff/note-failure.ts'
import { findEntry } from '#modules/audit/list.ts'
import { listAuditEntries } from '#modules/audit/store.ts'
import { GUESS_LIMITS } from '#modules/guesses/rules.ts'
import { Authenticator } from '#test/authenticator.ts'
import type { Browser } from '#test/http-browser.ts'
import { BEHIND_PROXY } from '#test/member.ts'
import { type OpenApi, operationsOf } from '#test/openapi.ts'
import { until } from '#test/patience.ts'
import { TEST_VAULT } from '#test/postgres.ts'
import { call, PHONE, startService } from '#test/service.ts'
import { codeOf, staffWays } from '#test/staff-ways.ts'

// What thieves and foreign pages try at the console.
const ORIGIN = 'http://localhost:4000'
const service = await startService({
  environment: { ...BEHIND_PROXY.environment, PUBLIC_URL: ORIGIN },
})
const { database, url } = service
const { visitor, withPassword, withPasskey, signIn, signInWith } = staffWays(service, ORIGIN)
const COOKIE = 'ingot_console'
const DEVICE = 'ingot_console_device'

test('no route acts for a foreign page, whatever it sends', async () => {
  const document: OpenApi = (await call(`${url}/console/api/openapi.json`)).body
  const admin = await service.consoleAs('admin')
  const cookie = `${COOKIE}=${admin.cookies.get(COOKIE)}`
  const acts = operationsOf(document).filter(({ method }) => method.toUpperCase() !== 'GET')
  assert.ok(acts.length > 30)
  const nobody = '01900000-0000-7000-8000-000000000000'
  for (const { method, path, operation } of acts) {
    const send = (headers: Record<string, string>) =>
      call(url + path.replace(/\{\w+\}/g, nobody), {
        method: method.toUpperCase(),
        headers: { accept: 'application/problem+json', cookie, 'content-type': 'text/plain', ...headers },
        ...(method.toUpperCase() === 'POST' ? { body: '{}' } : {}),
      })
    for (const foreign of [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      // A neighbour under the same domain, and a browser that does not say where a call comes from.
      { origin: 'http://evil.localhost:4000', 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ]) {
      const { status, body } = await send(foreign)
      const what = `${operation.operationId} ${JSON.stringify(foreign)}`
      assert.deepEqual([status, body.code], [403, 'forbidden'], what)
    }
  }
  assert.equal((await admin.get('/session')).body.signedIn, true, 'it was not signed out either')
})

test('the pages of the console are framed by nobody', async () => {
  for (const path of ['/console', '/console/', '/console/approvals', '/console/welcome']) {
    const { headers } = await call(url + path)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'$/, path)
  }
})

test('a session id that was planted before a sign-in does not survive it', async () => {
  const password = await withPassword()
  const passkey = await withPasskey()
  const ways: Record<string, (browser: Browser) => Promise<unknown>> = {
    password: (browser) => signIn(browser, password.staff.email, codeOf(password.secret, 1)),
    'recovery code': (browser) => signIn(browser, password.staff.email, password.recoveryCodes[0]!),
    passkey: (browser) => signInWith(passkey.key, browser),
    link: (browser) => withPasskey('support', browser),
  }
  for (const [way, enter] of Object.entries(ways)) {
    const victim = visitor()
    // The thief's own session, of which the victim is to go on: and see what the victim does.
    const planted = (await service.consoleAs('viewer')).cookies.get(COOKIE)!
    victim.cookies.set(COOKIE, planted)
    await enter(victim)
    const { body } = await victim.get('/session')
    assert.equal(body.staff?.role, 'support', `${way}: the victim is in as themselves`)
    assert.notEqual(victim.cookies.get(COOKIE), planted, way)
    const thief = visitor()
    thief.cookies.set(COOKIE, planted)
    assert.equal((await thief.get('/session')).body.signedIn, false, `${way}: the planted id is over`)
    // An id of the thief's own making is not taken over.
    thief.cookies.set(COOKIE, 'A'.repeat(43))
    assert.equal((await thief.get('/session')).body.signedIn, false, way)
  }
})

test('passkeys are renamed by their owner with a fresh proof; the entry keeps the names sealed', async () => {
  const { staff, browser, id } = await withPasskey()
  const renamed = await browser.post(`/account/passkeys/${id}`, { name: '  사무실\u0000 노트북 ' })
  assert.deepEqual([renamed.status, renamed.body.passkeys?.[0].name], [200, '사무실 노트북'], renamed.text)
  for (const name of ['', '   ', 'x'.repeat(41)])
    assert.equal((await browser.post(`/account/passkeys/${id}`, { name })).status, 400, name)
  const other = await withPasskey()
  assert.equal((await other.browser.post(`/account/passkeys/${id}`, { name: 'x' })).status, 404)
  assert.equal((await other.browser.delete(`/account/passkeys/${id}`)).status, 404)
  const entry = (await listAuditEntries(database.db, TEST_VAULT, staff.id)).at(-1)!
  assert.equal(entry.action, 'staff.passkey_rename')
  assert.deepEqual(entry.details, { passkey: id })
  assert.match(entry.words.note ?? '', / → 사무실 노트북$/)
})

test('the last way in stays, and the page can say why; a way that is no longer offered is none', async () => {
  const { staff, browser, id } = await withPasskey()
  const last = await browser.delete(`/account/passkeys/${id}`)
  assert.deepEqual([last.status, last.body.errors?.[0]?.detail], [409, 'last_way_in'])
  // Bound to a provider that the settings do not name.
  await database.pool.query(
    `update staff set oidc_issuer = 'https://gone.example', oidc_subject = 'x' where id = $1`,
    [staff.id],
  )
  assert.equal((await browser.delete(`/account/passkeys/${id}`)).status, 409)
  assert.equal((await browser.get('/account')).body.singleSignOn, false)
  const { secret } = (await browser.post('/account/totp')).body
  const chosen = { password: 'nine little gold bars', code: codeOf(secret) }
  assert.equal((await browser.post('/account/password', chosen)).status, 200)
  const removed = await browser.delete(`/account/passkeys/${id}`)
  assert.deepEqual([removed.status, removed.body.passkeys], [200, []])
  assert.equal((await browser.delete('/account/password')).status, 409, 'now this is the last one')
  // No act bound it, which verify would tell.
  await database.pool.query('update staff set oidc_issuer = null, oidc_subject = null where id = $1', [
    staff.id,
  ])
})

interface Told {
  action: string
  details: Record<string, unknown>
  from: Record<string, string> | undefined
}

// What the log says of this person, with the place that each act came from.
async function entriesOf(staffId: string): Promise<Told[]> {
  const { rows } = await database.pool.query('select id from audit_entry where subject = $1 order by id', [
    staffId,
  ])
  return Promise.all(
    rows.map(async ({ id }) => {
      const { action, details, private: part } = (await findEntry(database.db, BigInt(id), TEST_VAULT))!
      return { action, details, from: typeof part === 'object' ? part?.from : undefined }
    }),
  )
}
const addressOf = (browser: Browser) => browser.headers['x-forwarded-for']!

test('signing in, out, failing and proving: each entry says from where, sealed', async () => {
  const { staff, secret, browser: first } = await withPassword()
  const guesser = visitor()
  await signIn(guesser, staff.email, codeOf(secret, 1), 'not the password')
  await signIn(guesser, staff.email, '000000')
  const own = visitor()
  await signIn(own, staff.email, codeOf(secret, 1))
  const session = (await own.get('/account')).body.sessions.find((one: { isThis: boolean }) => one.isThis).id
  await own.post('/session/proof', { code: '000000' })
  await own.post('/sign-out')
  assert.equal((await own.post('/sign-out')).status, 204)
  const place = (browser: Browser) => ({ by: 'console', address: addressOf(browser) })
  const { device } = (await entriesOf(staff.id)).find(({ action }) => action === 'staff.sign_in')!.details
  const stored = await database.pool.query('select hash from staff_session where id = $1', [session])
  const fingerprint = fingerprintOf(stored.rows[0].hash)
  assert.deepEqual((await entriesOf(staff.id)).slice(-5), [
    {
      action: 'staff.sign_in_failed',
      details: { how: 'password', wrong: 'password' },
      from: place(guesser),
    },
    { action: 'staff.sign_in_failed', details: { how: 'password', wrong: 'code' }, from: place(guesser) },
    { action: 'staff.sign_in', details: { how: 'password', device, session, fingerprint }, from: place(own) },
    { action: 'staff.prove_failed', details: { how: 'code' }, from: { ...place(own), session } },
    { action: 'staff.sign_out', details: { session }, from: place(own) },
  ])
  const [entered] = (await entriesOf(staff.id)).filter(({ action }) => action === 'staff.sign_in')
  assert.deepEqual(entered!.from, place(first), 'by the link')
  const { rows } = await database.pool.query(
    `select count(*)::int as count from audit_entry e where e::text like any($1)`,
    [[guesser, own, first].map((browser) => `%${addressOf(browser)}%`)],
  )
  assert.equal(rows[0].count, 0, 'no address is in plain')
})

test('a failed try waits for the disk, whether the email is somebody’s or nobody’s', async () => {
  const xid = async () => BigInt((await database.pool.query('select pg_current_xact_id() as id')).rows[0].id)
  const { staff } = await withPassword()
  for (const staffId of [staff.id, undefined]) {
    const before = await xid()
    await noteFailedSignIn(database, staffId, { how: 'password', wrong: 'password' })
    const after = await xid()
    const { rows } = await database.pool.query(
      `select pg_xact_status(n::text::xid8) as status from generate_series($1::bigint, $2::bigint) n`,
      [before + 1n, after - 1n],
    )
    assert.ok(
      rows.some(({ status }) => status === 'committed'),
      `${staffId}: what is rolled back is not written, and is answered sooner`,
    )
  }
})

test('an email that is nobody’s leaves no entry', async () => {
  const count = async () =>
    (await database.pool.query('select count(*)::int as count from audit_entry')).rows[0].count
  const before = await count()
  assert.equal((await signIn(visitor(), 'nobody@ingot.test', '000000')).status, 401)
  assert.equal(await count(), before)
})

test('guesses of strangers keep nobody out of a known browser, a passkey or a session', async () => {
  const { staff, secret, recoveryCodes, browser } = await withPassword()
  const key = new Authenticator({ origin: ORIGIN })
  const { publicKey } = (await browser.post('/account/passkeys/options')).body
  assert.equal((await browser.post('/account/passkeys', { credential: key.make(publicKey) })).status, 200)
  for (let i = 0; i < GUESS_LIMITS.login.account; i += 1)
    assert.equal((await signIn(visitor(), staff.email, '000000')).status, 401)
  assert.equal((await signIn(visitor(), staff.email, recoveryCodes[0]!)).status, 429, 'a stranger')
  const planted = visitor()
  planted.cookies.set(DEVICE, `${'A'.repeat(43)}.${'A'.repeat(43)}`)
  assert.equal((await signIn(planted, staff.email, recoveryCodes[0]!)).status, 429, 'made up')
  planted.cookies.set(DEVICE, (await withPassword()).browser.cookies.get(DEVICE)!)
  assert.equal((await signIn(planted, staff.email, recoveryCodes[0]!)).status, 429, "another person's")

  assert.equal((await browser.post('/session/proof', { code: recoveryCodes[1] })).status, 200, 'a session')
  assert.equal((await signInWith(key, visitor())).status, 200, 'a passkey')
  await browser.post('/sign-out')
  assert.equal((await signIn(browser, staff.email, codeOf(secret, 1))).status, 200, 'a known browser')
  // The known browser has a limit of its own.
  for (let i = 0; i < GUESS_LIMITS.login.account; i += 1)
    assert.equal((await signIn(browser, staff.email, '000000')).status, 401)
  assert.equal((await signIn(browser, staff.email, recoveryCodes[2]!)).status, 429)
})

test('a stolen cookie has a few guesses at a proof, and then none', async () => {
  const { browser, recoveryCodes } = await withPassword()
  for (let i = 0; i < GUESS_LIMITS.login.account; i += 1)
    assert.equal((await browser.post('/session/proof', { code: '000000' })).body.code, 'wrong_code')
  assert.equal((await browser.post('/session/proof', { code: recoveryCodes[0] })).status, 429)
})

test('a code counts once, of two at the same moment too, and not again as a proof', async () => {
  const { staff, secret } = await withPassword()
  const [one, two] = [visitor(), visitor()]
  const code = codeOf(secret, 1)
  const statuses = await Promise.all([one, two].map((browser) => signIn(browser, staff.email, code)))
  assert.deepEqual(statuses.map(({ status }) => status).toSorted(), [200, 401])
  const inside = statuses[0]!.status === 200 ? one : two
  assert.equal((await inside.post('/session/proof', { code })).body.code, 'wrong_code')
})

test('whoever keeps the books busy keeps no purchase waiting', async () => {
  const partner = await service.addPartner()
  const viewer = await service.consoleAs('viewer')
  const holder = await database.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('lock table closed_day in access exclusive mode')
    const asked = Array.from({ length: 30 }, () => viewer.get('/books/trial-balance'))
    const waiting = async () =>
      (
        await holder.query(
          `select count(*)::int as n from pg_locks where relation = 'closed_day'::regclass and not granted`,
        )
      ).rows[0].n
    await until(async () => (await waiting()) > 0)
    assert.equal((await partner.buy({ phoneNumber: PHONE, amount: 10_000 })).status, 200)
    assert.ok((await waiting()) <= 2)
    await holder.query('rollback')
    for (const { status } of await Promise.all(asked))
      assert.ok(status === 200 || status === 429, String(status))
  } finally {
    holder.release(true)
  }
})
