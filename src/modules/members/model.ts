import type { Consent, SignupOutcome } from './types.ts'

// The reference model of the SQL function sign_up_partner_users for one person at one partner. A property
// test holds the two together.
export interface SignupFacts {
  partnerActive: boolean
  // This person's link to this partner.
  link: { userKey: string; suspended: boolean } | undefined
  // Whether the key is another person's at this partner.
  keyTaken: boolean
}

export function decideSignup(
  facts: SignupFacts,
  wish: { custom: boolean; partnerKey: string },
):
  | Exclude<SignupOutcome, { kind: 'refused' }>['kind']
  | Extract<SignupOutcome, { kind: 'refused' }>['reason'] {
  if (!facts.partnerActive) return 'partner_suspended'
  if (!facts.link) return facts.keyTaken ? 'key_taken' : 'new'
  if (facts.link.suspended) return 'user_suspended'
  return wish.custom && facts.link.userKey !== wish.partnerKey ? 'other_key' : 'known'
}

// Only what says something new is kept: a retry adds no history.
export function newConsents(agreedNow: ReadonlyMap<string, boolean>, told: readonly Consent[]): Consent[] {
  return told.filter(({ termsId, agreed }) => agreedNow.get(termsId) !== agreed)
}
