import Type from 'typebox'
import { object } from '#edge/http/named-schemas.ts'

// For the document: the partner's key, or none from its networks.
export const KEY_OR_NETWORK = [{ partnerKey: [] as string[] }, {}] as const

// One schema validates, types and documents. Fields that are not named here are ignored and never stored.
const partner = Type.String({
  description: "The partner's code.",
  minLength: 1,
  maxLength: 64,
  examples: ['hanbit-pay'],
})

export const MAX_PARTNER_KEY = 128
export const MAX_TERMS = 50

const partnerKey = Type.String({
  description: 'The userKey of the signup.',
  minLength: 1,
  maxLength: MAX_PARTNER_KEY,
  examples: ['019a8b1e-5b6c-7c1d-9a52-6f1f7b3c2d10'],
})

const UserInfo = object(
  'UserInfo',
  {
    name: Type.String({
      description: 'The name used in the identity verification: readable, in one line, no web address.',
      minLength: 1,
      maxLength: 100,
      examples: ['홍길동'],
    }),
    birthday: Type.String({
      description: 'YYYYMMDD: a real day, not in the future.',
      pattern: '^[0-9]{8}$',
      examples: ['19900131'],
    }),
    nationality: Type.Literal('K', { description: 'Domestic citizen.', examples: ['K'] }),
    mdn: Type.String({
      description: 'The mobile number used in the identity verification, digits only.',
      pattern: '^[0-9]{9,15}$',
      examples: ['01012345678'],
    }),
    gender: Type.Enum(['F', 'M'], { type: 'string', examples: ['M'] }),
    ci: Type.String({
      description: 'The 88 characters of the identity verification: ASCII, without blanks.',
      minLength: 88,
      maxLength: 88,
      pattern: '^[!-~]*$',
    }),
  },
  { description: 'As in the carrier identity verification.' },
)

const Terms = object('TermsAgreement', {
  termsId: Type.String({ minLength: 1, maxLength: 64, examples: ['marketing'] }),
  agreeYn: Type.Enum(['Y', 'N'], { type: 'string', examples: ['Y'] }),
})

const EXAMPLE_CI = `${'Q0kgZXhhbXBsZSBvZiBhIHBlcnNvbiB3aG8gZG9lcyBub3QgZXhpc3Qg'.padEnd(86, 'a')}==`

export const SignupBody = object(
  'SignupRequest',
  {
    traceNo: Type.String({
      description: 'Any text of yours to trace the call by. Sent back, and kept encrypted with the signup.',
      minLength: 1,
      maxLength: 255,
      examples: ['20261115-0001'],
    }),
    partner,
    partnerKey: Type.Optional(
      Type.String({
        description:
          'Only for a partner with a custom key format, and required there: a key in the agreed format. ' +
          'Otherwise the service issues a UUID.',
        minLength: 1,
        maxLength: MAX_PARTNER_KEY,
      }),
    ),
    userInfo: UserInfo,
    termsList: Type.Optional(
      Type.Array(Terms, {
        description: 'What the user agreed to, each id once. Kept as a dated history.',
        maxItems: MAX_TERMS,
      }),
    ),
  },
  {
    examples: [
      {
        traceNo: '20261115-0001',
        partner: 'hanbit-pay',
        userInfo: {
          name: '홍길동',
          birthday: '19900131',
          nationality: 'K',
          mdn: '01012345678',
          gender: 'M',
          ci: EXAMPLE_CI,
        },
        termsList: [{ termsId: 'marketing', agreeYn: 'Y' }],
      },
    ],
  },
)

export const SignupAnswer = object(
  'RegisteredUser',
  {
    traceNo: Type.String({ description: 'As sent.' }),
    partner: Type.String(),
    userKey: Type.String({ description: 'The partner key for later calls.' }),
    newUserYn: Type.Enum(['Y', 'N'], {
      type: 'string',
      description: '`N`: this person was registered with you before, under this userKey.',
    }),
    registeredAt: Type.String({
      format: 'date-time',
      description: 'When this person was registered with you.',
    }),
  },
  {
    description: 'The user is registered.',
    examples: [
      {
        traceNo: '20261115-0001',
        partner: 'hanbit-pay',
        userKey: '019a8b1e-5b6c-7c1d-9a52-6f1f7b3c2d10',
        newUserYn: 'Y',
        registeredAt: '2026-11-15T03:00:00.000Z',
      },
    ],
  },
)

// Names one user of the partner.
export const UserBody = object(
  'PartnerUser',
  { partner, partnerKey },
  { examples: [{ partner: 'narae-shop', partnerKey: 'NR-00000001' }] },
)

export const HashAnswer = object(
  'HashKey',
  {
    hashKey: Type.String({ description: 'Opens the web view for one hour. Treat it as a password.' }),
    expiresAt: Type.String({ format: 'date-time' }),
    webViewUrl: Type.String({ format: 'uri', description: 'The web view, already logged in.' }),
  },
  {
    description: 'A new hash key.',
    examples: [
      {
        hashKey: 'mJ3q7Yw0c1nB5uQe8RkXz2VtHs6LpAaDfGgKoIiTt4E',
        expiresAt: '2026-11-15T04:00:00.000Z',
        webViewUrl: 'http://127.0.0.1:3000/webview/mJ3q7Yw0c1nB5uQe8RkXz2VtHs6LpAaDfGgKoIiTt4E',
      },
    ],
  },
)

export const AssetQuery = Type.Object({ source: partner, partnerKey })

const MetalAsset = object('MetalAsset', {
  grams: Type.String({ description: 'Decimal text with four places.', examples: ['1.2345'] }),
  pricePerGram: Type.Integer({ description: 'Won.' }),
  value: Type.Integer({ description: 'Won, rounded down.' }),
})

export const AssetAnswer = object(
  'Assets',
  {
    partner: Type.String(),
    partnerKey: Type.String(),
    asOf: Type.String({ format: 'date-time' }),
    currency: Type.Literal('KRW'),
    points: Type.Integer({ description: 'Won of points, which buy gold and silver.' }),
    deposit: Type.Integer({ description: 'Won from selling metal.' }),
    gold: MetalAsset,
    silver: MetalAsset,
    totalValue: Type.Integer({ description: 'Won: points, deposit, and the value of gold and silver.' }),
  },
  {
    description: "The user's assets at the current price.",
    examples: [
      {
        partner: 'narae-shop',
        partnerKey: 'NR-00000001',
        asOf: '2026-11-15T03:00:00.000Z',
        currency: 'KRW',
        points: 50000,
        deposit: 12000,
        gold: { grams: '1.2345', pricePerGram: 198500, value: 245048 },
        silver: { grams: '10.0000', pricePerGram: 2480, value: 24800 },
        totalValue: 331848,
      },
    ],
  },
)
