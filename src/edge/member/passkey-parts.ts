import { ApiError } from '#edge/http/errors.ts'
import { Type } from '#edge/http/json-schema.ts'
import type { ManagePasskeys } from '#flows/accounts/manage-passkeys.ts'
import type { PasskeyLogin } from '#flows/sessions/log-in-with-passkey.ts'
import { CEREMONY_SECONDS } from '#modules/passkeys/rules.ts'
import type { RelyingParty } from '#modules/passkeys/types.ts'
import type { OpenedDeps } from './session.ts'

// WebAuthn in JSON (W3C, level 3): what a page hands to the browser, and what the browser hands back.
export const base64url = (maxLength: number) =>
  Type.String({ description: 'base64url.', pattern: '^[A-Za-z0-9_-]+$', maxLength })

export const publicKeyType = Type.Literal('public-key')

export const credentialId = base64url(1_364)

export const TIMEOUT = CEREMONY_SECONDS * 1_000

export const UNAVAILABLE =
  'Where `PUBLIC_URL` is an IP address, or plain http on another machine, there are no passkeys: 404.'

export interface PasskeyDeps extends OpenedDeps {
  // Undefined if browsers support no passkeys: PUBLIC_URL is an IP address, or plain http.
  passkeys: { party: RelyingParty; login: PasskeyLogin; manage: ManagePasskeys } | undefined
}

export function offered({ passkeys }: PasskeyDeps): NonNullable<PasskeyDeps['passkeys']> {
  if (!passkeys) throw new ApiError('not_found')
  return passkeys
}
