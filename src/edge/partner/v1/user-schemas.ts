import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'

// For the document: the partner's key, or none from its networks.
export const KEY_OR_NETWORK = [{ partnerKey: [] as string[] }, {}] as const

// One schema validates, types and documents. Fields that are not named here are ignored and never stored.
export const partner = Type.String({
  description: "The partner's code.",
  minLength: 1,
  maxLength: 64,
  examples: ['hanbit-pay'],
})

export const MAX_PARTNER_KEY = 128

export const partnerKey = Type.String({
  description: 'The userKey of the signup.',
  minLength: 1,
  maxLength: MAX_PARTNER_KEY,
  examples: ['019a8b1e-5b6c-7c1d-9a52-6f1f7b3c2d10'],
})

// Names one user of the partner.
export const UserBody = object(
  'PartnerUser',
  { partner, partnerKey },
  { examples: [{ partner: 'narae-shop', partnerKey: 'NR-00000001' }] },
)
