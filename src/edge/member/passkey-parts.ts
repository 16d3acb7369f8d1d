import { ApiError } from '#edge/http/errors.ts'
import type { ManagePasskeys } from '#flows/accounts/manage-passkeys.ts'
import type { PasskeyLogin } from '#flows/sessions/log-in-with-passkey.ts'
import type { RelyingParty } from '#modules/passkeys/types.ts'
import type { OpenedDeps } from './session.ts'

export const UNAVAILABLE =
  'Where `PUBLIC_URL` is an IP address, or plain http on another machine, there are no passkeys: 404.'

export interface PasskeyDeps extends OpenedDeps {
  // Undefined if browsers support no passkeys: PUBLIC_URL is an IP address, or plain http.
  passkeys: { party: RelyingParty; login: PasskeyLogin; manage: ManagePasskeys } | undefined
}

// 404, as if there were no such endpoint (decisions/0038).
export function offered({ passkeys }: PasskeyDeps): NonNullable<PasskeyDeps['passkeys']> {
  if (!passkeys) throw new ApiError('not_found')
  return passkeys
}
