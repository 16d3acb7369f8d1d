import type { Secret } from '#base/secret.ts'

export type HashKey = Secret<'hash key'> // opens the web view: prints as [secret] wherever it lands
export type SessionId = Secret<'web session'> // the cookie's value
export type DeviceId = Secret<'device'> // an id that a browser is known by, or several, as its cookie has them

// How a session was opened: by logging in, or with a hash key that a partner fetched.
export type SessionKind = 'member' | 'web_view'

// Why a hash key opens nothing, in order of precedence. The log says which; the page is the same for all but a link that its
// own member has refused, which no app opens again, and a frozen member, who reads whom to ask.
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
