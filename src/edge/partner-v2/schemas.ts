import Type from 'typebox'

// One schema validates, types and documents. Fields that are not named here are ignored and never stored.
export const BuyBody = Type.Object(
  {
    phoneNumber: Type.String({
      description: "Recipient's Korean mobile number. Hyphens, spaces and +82 are accepted.",
      minLength: 9,
      maxLength: 24,
      examples: ['010-1234-5678'],
    }),
    amount: Type.Integer({
      description: 'Won credited to the recipient, within the bounds agreed with the partner.',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      examples: [50000],
    }),
  },
  { examples: [{ phoneNumber: '010-1234-5678', amount: 50000 }] },
)

export const BuyHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      description:
        'Makes a retry safe for 30 days: the same key and purchase give the same card, the same key with ' +
        'another purchase 422.',
      minLength: 1,
      maxLength: 255,
      examples: ['order-20261115-0001'],
    }),
  ),
})

export const BuyAnswer = Type.Object(
  {
    result: Type.Literal('success'),
    data: Type.Object({
      txId: Type.String({ format: 'uuid', description: 'Identifier of the purchase.' }),
      giftId: Type.String({ format: 'uuid', description: 'Identifier of the gift card.' }),
    }),
  },
  {
    description: 'The card is issued; a replay of an earlier purchase carries `Idempotency-Replayed: true`.',
    examples: [
      {
        result: 'success',
        data: {
          txId: '019a8b1e-5b6c-7c1d-9a52-6f1f7b3c2d10',
          giftId: '019a8b1e-5b6c-7f04-8c11-0b9d8e7f6a55',
        },
      },
    ],
  },
)

export const LookupParams = Type.Object({
  giftUUID: Type.String({
    description: 'The giftId or txId of the purchase, or the number of the card.',
    minLength: 1,
    maxLength: 64,
    examples: ['019a8b1e-5b6c-7f04-8c11-0b9d8e7f6a55'],
  }),
})

export const LookupAnswer = Type.Object(
  {
    result: Type.Literal('Success'),
    data: Type.Object({
      giftId: Type.Integer({ description: 'Number of the gift card.' }),
      amount: Type.Integer({ description: 'Won credited to the recipient.' }),
      used: Type.Boolean({ description: 'Whether the card has been redeemed.' }),
      expires: Type.String({
        format: 'date',
        description: 'Last day on which it can be redeemed, in Seoul.',
      }),
      valid: Type.Boolean({ description: 'Whether it can be redeemed now.' }),
    }),
  },
  {
    description: 'The card as it is now.',
    examples: [
      {
        result: 'Success',
        data: { giftId: 4821739051827364, amount: 50000, used: false, expires: '2027-11-15', valid: true },
      },
    ],
  },
)

const dateParameter = (description: string, example: string) =>
  Type.String({ description, pattern: '^\\d{4}-\\d{1,2}-\\d{1,2}$', examples: [example] })

export const UsageQuery = Type.Object({
  startDate: dateParameter('First day of the period, a Seoul day: YYYY-MM-DD or YYYY-M-D.', '2026-11-1'),
  endDate: dateParameter('Last day of the period, included. Ten years at most.', '2026-11-30'),
})

export const UsageAnswer = Type.Object(
  {
    startDate: Type.String({ description: 'As sent.' }),
    endDate: Type.String({ description: 'As sent.' }),
    totalIssued: Type.Integer({ description: 'Won of cards issued in the period, voided ones taken out.' }),
    totalUsed: Type.Integer({ description: 'Won of cards redeemed in the period.' }),
    totalUsedInIssued: Type.Integer({
      description: 'Of the cards issued in the period, the won redeemed so far.',
    }),
  },
  {
    description: 'The totals of the period.',
    examples: [
      {
        startDate: '2026-11-1',
        endDate: '2026-11-30',
        totalIssued: 1250000,
        totalUsed: 300000,
        totalUsedInIssued: 250000,
      },
    ],
  },
)
