import assert from 'node:assert/strict'
import { ciOf } from '#providers/identity/personas.ts'
import { SIMULATED_CODE } from '#providers/identity/simulated.ts'
import { Browser } from './http-browser.ts'
import type { Answer } from './http-calls.ts'

export { Browser } from './http-browser.ts'

export const PASSWORD = 'correct horse battery'

// A service that believes the address its visitors say they have: they share this machine's, and its limits.
export const BEHIND_PROXY = { environment: { TRUSTED_PROXIES: '127.0.0.1' } }

let numbers = 0

export interface TestPerson {
  name: string
  birthday: string
  gender: 'F' | 'M'
  mdn: string
  carrier: 'SKT'
}

// Somebody whom nobody knows yet.
export function newPerson(changes: Partial<TestPerson> = {}): TestPerson {
  numbers += 1
  const mdn = `010${String(55_000_000 + numbers)}`
  return { name: '김하나', birthday: '19920315', gender: 'F', mdn, carrier: 'SKT', ...changes }
}

export function ciOfPerson({ mdn }: TestPerson): string {
  return ciOf(`number ${mdn}`)
}

// What a partner would tell of the same person.
export function userInfoOf(person: TestPerson) {
  const { name, birthday, gender, mdn } = person
  return { name, birthday, gender, mdn, nationality: 'K', ci: ciOfPerson(person) }
}

// An identity verified for a purpose, by the code that every simulated phone gets.
export async function verify(
  browser: Browser,
  purpose: 'sign_up' | 'recover' | 'step_up',
  person: TestPerson,
): Promise<string> {
  const begun = await browser.post('/identity', { purpose, ...person })
  assert.equal(begun.status, 200, begun.text)
  const { verificationId } = begun.body
  const confirmed = await browser.post(`/identity/${verificationId}/confirm`, { code: SIMULATED_CODE })
  assert.equal(confirmed.status, 200, confirmed.text)
  return verificationId
}

export const AGREED = { service: true, privacy: true, marketing: false }

export function signUp(browser: Browser, verificationId: string, loginId: string, password = PASSWORD) {
  return browser.post('/signup', { verificationId, loginId, password, agreed: AGREED })
}

export interface TestMember {
  browser: Browser
  person: TestPerson
  loginId: string
}

let members = 0

// A member, signed in.
export async function addMember(
  service: { url: string },
  person = newPerson(),
  browser = new Browser(service.url),
): Promise<TestMember> {
  members += 1
  const loginId = `member${members}`
  const answer = await signUp(browser, await verify(browser, 'sign_up', person), loginId)
  assert.equal(answer.status, 200, answer.text)
  return { browser, person, loginId }
}

// From a browser that is not known: looks around, and has to verify before it trades.
export function logIn(browser: Browser, loginId: string, password = PASSWORD): Promise<Answer> {
  return browser.post('/login', { loginId, password })
}
