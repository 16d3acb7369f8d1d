import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as commands from '#app/commands/staff.ts'
import { startOidcProvider } from '#stand-ins/oidc-provider.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { Browser } from '#test/http-browser.ts'
import { startService } from '#test/service.ts'
import { addTestStaff } from '#test/staff.ts'

// The company's own account: against a provider that speaks the true protocol.
const now = () => Math.floor(Date.now() / 1_000)
const provider = await startOidcProvider({ sub: 'kim-1', email: 'Kim@ingot.test', email_verified: true })
after(() => provider.close())
const ORIGIN = 'http://localhost:4000'
const service = await startService({
  environment: {
    PUBLIC_URL: ORIGIN,
    OIDC_ISSUER: provider.url,
    OIDC_CLIENT_ID: provider.client.id,
    OIDC_CLIENT_SECRET: provider.client.secret,
  },
})
const { done } = await commandsOn(service)
const { staff } = await addTestStaff(service, 'finance', { email: 'kim@ingot.test' })
const visitor = () => new Browser(service.url, '/console/api')

// As a browser goes: to the provider, and back to where it was sent from.
async function leave(browser: Browser, proof = false): Promise<string> {
  const away = await browser.get(`/sign-in/sso${proof ? '?proof=true' : ''}`)
  assert.equal(away.status, 303, away.text)
  const back = await fetch(away.headers.get('location')!, { redirect: 'manual' })
  return back.headers.get('location')!.replace(ORIGIN, '')
}
const returnBy = (browser: Browser, path: string) => browser.send('GET', path)
const signOn = async (browser = visitor(), proof = false) => {
  const answer = await returnBy(browser, await leave(browser, proof))
  const { body } = await browser.get('/session')
  return { answer, session: body, browser, to: answer.headers.get('location') }
}
async function refusedWith(lies: Partial<typeof provider>, what: string): Promise<void> {
  const before = { lies: provider.lies, foreignKey: provider.foreignKey, person: provider.person }
  Object.assign(provider, lies)
  const { session, to } = await signOn()
  Object.assign(provider, before)
  assert.deepEqual([session.signedIn, to], [false, `${ORIGIN}/console/?sso=refused`], what)
}

test('only staff who are there, by a verified email; nothing else that the provider signs', async () => {
  await refusedWith({ person: { sub: 'x', email: 'nobody@ingot.test', email_verified: true } }, 'nobody')
  await refusedWith({ person: { sub: 'x', email: 'kim@ingot.test', email_verified: false } }, 'unverified')
  await refusedWith({ person: { sub: 'x', email: 'kim@ingot.test' } }, 'not said')
  await refusedWith({ person: { sub: 'x' } }, 'no email')
  await refusedWith({ lies: { nonce: 'another' } }, 'nonce')
  await refusedWith({ lies: { aud: 'another' } }, 'audience')
  await refusedWith({ lies: { iss: 'https://evil.example' } }, 'issuer')
  await refusedWith({ lies: { exp: now() - 3_600 } }, 'over')
  await refusedWith({ foreignKey: true }, 'signature')
})

test('the first sign-in binds the id of the person; later the email no longer counts', async () => {
  const { session, to, answer } = await signOn()
  assert.deepEqual([session.staff?.email, to], [staff.email, `${ORIGIN}/console/`], answer.text)
  assert.equal(session.fresh, false, 'the provider does not say when the person proved it')
  assert.match(answer.headers.getSetCookie().join('\n'), /ingot_sign_on=; .*Max-Age=0/)
  await refusedWith({ person: { sub: 'other', email: 'kim@ingot.test', email_verified: true } }, 'other id')
  provider.person = { sub: 'kim-1', email: 'renamed@ingot.test', email_verified: true }
  assert.equal((await signOn()).session.staff?.email, staff.email)
  assert.equal((await visitor().get('/sign-in')).body.singleSignOn, true)
})

test('a proof asks the provider again, and is as fresh as the provider says', async () => {
  provider.person = { sub: 'kim-1', auth_time: now() - 3_600 }
  assert.equal((await signOn()).session.fresh, false)
  provider.person = { sub: 'kim-1', auth_time: now() }
  const { session } = await signOn(visitor(), true)
  assert.equal(session.fresh, true)
  assert.deepEqual(
    [provider.asked.at(-1)!.get('prompt'), provider.asked.at(-1)!.get('max_age')],
    ['login', '0'],
  )
  assert.equal(provider.asked.at(-1)!.get('code_challenge_method'), 'S256')
})

test('an answer belongs to the browser that began, and counts once', async () => {
  const [mine, thief] = [visitor(), visitor()]
  const path = await leave(mine)
  assert.equal((await returnBy(thief, path)).headers.get('location'), `${ORIGIN}/console/?sso=refused`)
  await leave(thief)
  assert.equal((await thief.get('/session')).body.signedIn, false)
  const own = visitor()
  const answer = await leave(own)
  const planted = visitor()
  planted.headers.cookie = `ingot_sign_on=${'x'.repeat(43)}; ingot_sign_on=${own.cookies.get('ingot_sign_on')}`
  assert.match((await returnBy(planted, answer)).headers.get('location')!, /sso=refused$/)
  assert.equal((await returnBy(own, answer)).headers.get('location'), `${ORIGIN}/console/`)
  assert.match((await returnBy(own, answer)).headers.get('location')!, /sso=refused$/, 'used')
  for (const query of ['', '?code=x', '?code=x&state=y', '?error=access_denied'])
    assert.match(
      (await returnBy(visitor(), `/console/api/sign-in/sso/callback${query}`)).headers.get('location')!,
      /sso=refused$/,
    )
})

test('suspended and reset people stay out; the secret is in no log', async () => {
  await done(commands.operatorSuspend, staff.email)
  await refusedWith({}, 'suspended')
  await done(commands.operatorResume, staff.email)
  assert.equal((await signOn()).session.signedIn, true)
  await done(commands.operatorReset, staff.email)
  await refusedWith({ person: { sub: 'kim-1' } }, 'unbound by the reset')
  assert.ok(!service.log.join('\n').includes(provider.client.secret))
})
