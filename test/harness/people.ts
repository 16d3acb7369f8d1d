import { createHash } from 'node:crypto'
import type { SignupRequest, UserInfo } from '#contract/partner.gen.ts'

export const SIGNUP = '/v1/partners/signup'
export const HASH = '/v1/partners/user/hash'
export const ASSET = '/v1/partners/user/asset/gross'

// A CI as carriers make them: 64 bytes in base64, the same for the same person everywhere.
export function ciOf(person: string): string {
  return createHash('sha512').update(person).digest('base64')
}

export function personOf(name: string): UserInfo {
  return { name, birthday: '19900131', nationality: 'K', mdn: '01098765432', gender: 'F', ci: ciOf(name) }
}

// The body of a signup, changed where a test needs it.
export function signupOf(partner: string, person: string, changes: Record<string, unknown> = {}): object {
  const signup: SignupRequest = { traceNo: 'trace-1', partner, userInfo: personOf(person) }
  return { ...signup, ...changes }
}
