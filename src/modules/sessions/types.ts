import type { Secret } from '#base/crypto/secret.ts'

export type HashKey = Secret<'hash key'> // opens the web view: prints as [secret] wherever it lands
export type SessionId = Secret<'web session'> // the cookie's value
export type DeviceId = Secret<'device'> // an id that a browser is known by, or several, as its cookie has them

// How a session was opened: by logging in, or with a hash key that a partner fetched.
export type SessionKind = 'member' | 'web_view'

// Why a hash key opens nothing, in order of precedence. The log has the reason. All show the same page but two: a link that
// its member refused, which no app can open again, and a frozen member, who reads whom to ask.
export type EntryRefusal =
  | 'unknown'
  | 'partner_suspended'
  | 'link_refused'
  | 'member_frozen'
  | 'link_suspended'
  | 'revoked'
  | 'expired'
  | 'used'

// Why none is issued, in order of precedence.
export type HashKeyRefusal = 'not_found' | 'partner_suspended' | 'user_suspended'
