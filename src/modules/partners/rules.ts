import { RE2JS } from 're2js'
import { isNetwork } from '#base/http/networks.ts'
import { isUuid } from '#base/ids.ts'
import { isShownName } from '#base/text/text.ts'
import type { PartnerTerms, PartnerTermsRefusal, Scope } from './types.ts'
import { KEY_FORMATS, MESSAGE_LANGUAGES, PARTNER_STATUSES, SCOPES } from './types.ts'

const MAX_WON = 1_000_000_000_000_000n // far above any use, far below what 64 bits and JSON hold exactly

// The first that fails is reported.
const TERM_RULES: readonly [holds: (terms: PartnerTerms) => boolean, otherwise: PartnerTermsRefusal][] = [
  [(t) => t.name.length >= 1 && t.name.length <= 200, 'name_length'],
  [(t) => isShownName(t.name), 'name_unreadable'],
  [(t) => PARTNER_STATUSES.includes(t.status), 'status_unknown'],
  [(t) => KEY_FORMATS.includes(t.keyFormat), 'key_format_unknown'],
  [(t) => t.keyFormat === 'uuid' || t.keyPattern !== null, 'key_pattern_missing'],
  [(t) => t.keyFormat === 'custom' || t.keyPattern === null, 'key_pattern_unused'],
  [(t) => t.keyPattern === null || isKeyPattern(t.keyPattern), 'key_pattern_invalid'],
  [(t) => t.amountMin >= 1n, 'amount_min_too_small'],
  [(t) => t.amountMax >= t.amountMin, 'amount_max_below_min'],
  [(t) => t.amountMax <= MAX_WON, 'amount_max_too_large'],
  [(t) => t.validityMonths >= 12, 'validity_too_short'],
  [(t) => t.validityMonths <= 120, 'validity_too_long'],
  [(t) => t.creditLimit >= 0n && t.creditLimit <= MAX_WON, 'credit_limit_out_of_bounds'],
  [(t) => t.rateLimit >= 0 && t.rateLimit <= 1_000_000, 'rate_limit_out_of_bounds'],
  [(t) => t.networks.every(isNetwork), 'network_invalid'],
  [(t) => t.networks.length <= 100, 'too_many_networks'],
  [(t) => t.frameAncestors.every(isFrameAncestor), 'frame_ancestor_invalid'],
  [(t) => t.frameAncestors.length <= 20, 'too_many_frame_ancestors'],
  [(t) => MESSAGE_LANGUAGES.includes(t.messageLanguage), 'message_language_unknown'],
]

export function refuseTerms(terms: PartnerTerms): PartnerTermsRefusal | undefined {
  return TERM_RULES.find(([holds]) => !holds(terms))?.[1]
}

export function isPartnerCode(code: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(code)
}

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text)
}

// They go into a header as they are: nothing but a scheme, a host and a port.
function isFrameAncestor(origin: string): boolean {
  const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
  const host = `(?:\\*\\.)?(?:${label}\\.)+${label}`
  return new RegExp(`^(?:https://${host}|https?://(?:localhost|127\\.0\\.0\\.1))(?::\\d{1,5})?$`).test(origin)
}

// A new partner's terms unless the operator says otherwise. The default credit is generous with play money and
// careful with real money.
export function newTerms(mode: 'sandbox' | 'live'): Omit<PartnerTerms, 'name'> {
  return {
    status: 'active',
    keyFormat: 'uuid',
    keyPattern: null,
    amountMin: 1n,
    amountMax: 10_000_000n,
    validityMonths: 12,
    creditLimit: mode === 'sandbox' ? 1_000_000_000_000n : 100_000_000n,
    rateLimit: 500,
    keyless: false,
    networks: [],
    singleUseHashKeys: false,
    frameAncestors: [],
    senderName: null,
    messageLanguage: 'ko',
  }
}

// A partner key as it is stored: a UUID is the same in capitals.
export function storedKey(keyFormat: PartnerTerms['keyFormat'], key: string): string {
  return keyFormat === 'uuid' && isUuid(key) ? key.toLowerCase() : key
}

const MAX_PROGRAM = 1_000 // some 15 ms for the longest key in the worst case; `[a-z0-9]{6,32}` has 60

const compiled = new Map<string, RE2JS>()

// The whole key. Patterns are few and live long: each is compiled once.
export function matchesKeyPattern(pattern: string, key: string): boolean {
  let matcher = compiled.get(pattern)
  if (!matcher) {
    matcher = RE2JS.compile(pattern)
    compiled.set(pattern, matcher)
  }
  return matcher.matches(key)
}

export type NoKeyMatch = 'pattern_invalid' | 'key_empty' | 'key_too_long' | 'no_match' | 'not_a_uuid'

const MAX_KEY = 128

// What stands against a user key in this format; null if nothing does.
export function whyNoKeyMatch(
  { keyFormat, keyPattern }: Pick<PartnerTerms, 'keyFormat' | 'keyPattern'>,
  key: string,
): NoKeyMatch | null {
  if (key === '') return 'key_empty'
  if (key.length > MAX_KEY) return 'key_too_long'
  if (keyFormat === 'uuid') return isUuid(key) ? null : 'not_a_uuid'
  if (keyPattern === null || !isKeyPattern(keyPattern)) return 'pattern_invalid'
  // Not matchesKeyPattern, which keeps every pattern: these are tried once.
  return RE2JS.compile(keyPattern).matches(key) ? null : 'no_match'
}

// RE2: matching takes time linear in the length of the key and of the compiled pattern. Both are bounded, so no pattern
// can be made slow.
function isKeyPattern(pattern: string): boolean {
  if (pattern.length < 1 || pattern.length > 200) return false
  try {
    return RE2JS.compile(pattern).programSize() <= MAX_PROGRAM
  } catch {
    return false
  }
}
