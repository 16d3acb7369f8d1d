import type { Secret } from '#base/crypto/secret.ts'
import type { Networks } from '#base/http/networks.ts'
import type { Id } from '#base/ids.ts'

export type KeyId = Id<'api key'> // a row's handle: safe to log
export type KeySecret = Secret<'api key'> // the whole key: prints as [secret] wherever it lands

export const SCOPES = ['giftcards:buy', 'giftcards:read', 'usage:read', 'users:write', 'users:read'] as const
export type Scope = (typeof SCOPES)[number]

export const KEY_FORMATS = ['uuid', 'custom'] as const
export const MESSAGE_LANGUAGES = ['ko', 'en'] as const
export const PARTNER_STATUSES = ['active', 'suspended'] as const

// What the operator agrees with a partner.
export interface PartnerTerms {
  name: string
  status: (typeof PARTNER_STATUSES)[number]
  keyFormat: (typeof KEY_FORMATS)[number]
  keyPattern: string | null
  amountMin: bigint
  amountMax: bigint
  validityMonths: number
  creditLimit: bigint
  rateLimit: number
  keyless: boolean
  networks: readonly string[]
  singleUseHashKeys: boolean
  // Origins that may show the web view in a frame.
  frameAncestors: readonly string[]
  // The giver's name in messages; null: the partner's name, as far as messages can carry it.
  senderName: string | null
  messageLanguage: (typeof MESSAGE_LANGUAGES)[number]
}

// What can be wrong with terms.
export type PartnerTermsRefusal =
  | 'name_length'
  | 'name_unreadable'
  | 'status_unknown'
  | 'key_format_unknown'
  | 'key_pattern_missing'
  | 'key_pattern_unused'
  | 'key_pattern_invalid'
  | 'amount_min_too_small'
  | 'amount_max_below_min'
  | 'amount_max_too_large'
  | 'validity_too_short'
  | 'validity_too_long'
  | 'credit_limit_out_of_bounds'
  | 'rate_limit_out_of_bounds'
  | 'network_invalid'
  | 'too_many_networks'
  | 'frame_ancestor_invalid'
  | 'too_many_frame_ancestors'
  | 'message_language_unknown'

export interface Partner extends PartnerTerms {
  id: number
  code: string
  // What it owes now, in won. Negative: prepaid.
  owed: bigint
}

// What a request needs to know of its partner, and of the key it came with.
export interface KnownPartner {
  id: number
  code: string
  active: boolean
  rateLimit: number
  keyFormat: PartnerTerms['keyFormat']
  keyPattern: string | null
}

export interface KnownKey {
  id: KeyId
  secretHash: Buffer
  scopes: readonly Scope[]
  networks: Networks
  ended: 'revoked' | 'expired' | null
  partner: KnownPartner
}

// A partner with a list of networks, from which it may call without a key.
export interface KeylessPartner extends KnownPartner {
  networks: Networks
  keyless: boolean
}
