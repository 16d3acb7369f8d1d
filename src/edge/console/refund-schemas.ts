import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import { uuid } from '#edge/http/uuid.ts'
import { PAYOUT } from './card-schemas.ts'
import { maybeText, moment, reason, won } from './object-parts.ts'

const day = Type.String({ format: 'date', description: 'A day in Seoul.' })
const percent = Type.Integer({ minimum: 1, maximum: 100 })

export const ExtensionPreviewAnswer = object('ExtensionPreview', {
  possible: Type.Boolean(),
  refusal: Type.Union([
    choice('ExtensionRefusal', ['used', 'voided', 'expired', 'extended', 'not_extendable']),
    Type.Null(),
  ]),
  fromDay: maybeText,
  toDay: maybeText,
  policy: Type.Union([Type.String(), Type.Null()], { description: "The policy's version." }),
})

export const ExtendedAnswer = object('CardExtended', { giftId: Type.String(), fromDay: day, toDay: day })

export const QuoteBody = object('RefundWish', {
  member: Type.String({ description: 'Login id, member id or account id.', minLength: 1, maxLength: 64 }),
  payout: PAYOUT,
})

export const quoteParams = Type.Object({ quoteId: uuid() })

export const QuoteAnswer = object(
  'RefundQuote',
  {
    quoteId: Type.String(),
    member: object(
      'RefundHolder',
      { memberId: Type.String(), loginId: maybeText, name: maybeText },
      { description: 'Masked.' },
    ),
    payout: PAYOUT,
    face: won,
    percent: Type.Integer({ description: 'What the policy gives back of the face value.' }),
    deduction: Type.Integer({ description: 'Won. Rounded down: a fraction of a won is the member’s.' }),
    total: Type.Integer({ description: 'Won: face − deduction.' }),
    policy: Type.String({ description: "The policy's version." }),
    policyFrom: day,
    refundableUntil: day,
    expiresAt: moment,
  },
  { description: 'face − deduction = total, by the policy of the day the card was bought.' },
)

// What a policy says. The flow checks what a schema cannot.
const RULES = {
  cancelDays: Type.Integer({ minimum: 0, maximum: 365 }),
  refundYears: Type.Integer({ minimum: 0, maximum: 50 }),
  smallUpTo: Type.Integer({ description: 'Won.', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  smallPercent: percent,
  largePercent: percent,
  pointsPercent: percent,
  extensionMonths: Type.Integer({ minimum: 0, maximum: 60 }),
  noticeDays: Type.Array(Type.Integer({ minimum: 1, maximum: 365 }), { maxItems: 20 }),
}

export const PolicyList = object('RefundPolicies', {
  policies: Type.Array(
    object(
      'RefundPolicy',
      { version: Type.String(), effectiveFrom: day, ...RULES },
      {
        description: 'For cards bought from `effectiveFrom` on, until the next version begins.',
      },
    ),
  ),
  today: day,
})

const OPTIONAL_RULES = Object.fromEntries(
  Object.entries(RULES).map(([name, schema]) => [name, Type.Optional(schema)]),
) as { [Name in keyof typeof RULES]: ReturnType<typeof Type.Optional<(typeof RULES)[Name]>> }

export const PolicyBody = object('RefundPolicyWish', {
  version: Type.String({ minLength: 2, maxLength: 40, examples: ['kr-2027'] }),
  effectiveFrom: day,
  until: Type.Optional(Type.String({ format: 'date', description: 'Its last day, before a later version.' })),
  ...OPTIONAL_RULES,
  reason,
})
