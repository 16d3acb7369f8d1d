import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import type { Role } from '#modules/staff/permissions.ts'
import { Authenticator } from './authenticator.ts'
import { Browser } from './http-browser.ts'
import type { TestService } from './service.ts'
import { addTestStaff } from './staff.ts'

export const STAFF_PASSWORD = 'seven little gold bars'

// An authenticator app: the code of now, or of a later half minute. A code counts once.
export const codeOf = (secret: string, later = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * 30_000 })

// How people come into the console of this service, over HTTP.
export function staffWays(service: TestService, origin: string) {
  const visitor = () => new Browser(service.url, '/console/api')

  // A browser of a new staff member, and the secret part of the link that was printed.
  async function invited(role: Role = 'support') {
    const { staff, link } = await addTestStaff(service, role)
    return { staff, link: link.reveal(), browser: visitor() }
  }

  async function withPassword(role: Role = 'support') {
    const { staff, link, browser } = await invited(role)
    const { secret } = (await browser.post('/welcome/totp', { link })).body
    const chosen = { link, password: STAFF_PASSWORD, code: codeOf(secret) }
    const answer = await browser.post('/welcome/password', chosen)
    assert.equal(answer.status, 200, answer.text)
    return { staff, browser, secret, recoveryCodes: answer.body.recoveryCodes as string[] }
  }

  async function withPasskey(role: Role = 'support', browser = visitor()) {
    const { staff, link } = await invited(role)
    const key = new Authenticator({ origin })
    const { publicKey } = (await browser.post('/welcome/passkey/options', { link })).body
    const answer = await browser.post('/welcome/passkey', { link, credential: key.make(publicKey) })
    assert.equal(answer.status, 200, answer.text)
    return { staff, browser, key, id: (await browser.get('/account')).body.passkeys[0].id as string }
  }

  const signIn = (browser: Browser, email: string, code: string, password = STAFF_PASSWORD) =>
    browser.post('/sign-in', { email, password, code })

  async function signInWith(key: Authenticator, browser: Browser) {
    const { publicKey } = (await browser.post('/sign-in/passkey/options')).body
    return browser.post('/sign-in/passkey', { credential: key.use(publicKey) })
  }

  return { visitor, invited, withPassword, withPasskey, signIn, signInWith }
}
