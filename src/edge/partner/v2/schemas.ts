import Type from 'typebox'
import { NAME, object } from '#edge/http/named-schemas.ts'
import { uuid } from '#edge/http/uuid.ts'

const giftUUIDs = {
  txId: uuid({ description: 'Identifier of the purchase.' }),
  giftId: uuid({ description: 'Identifier of the gift card.' }),
}
const EXAMPLE_IDS = {
  txId: '019a8b1e-5b6c-7c1d-9a52-6f1f7b3c2d10',
  giftId: '019a8b1e-5b6c-7f04-8c11-0b9d8e7f6a55',
}

// One schema validates, types and documents. Fields that are not named here are ignored and never stored.
export const BuyBody = object(
  'PurchaseRequest',
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
        'another purchase 422. A key of your own for each purchase, such as `order-20261115-0001`.',
      // No example: the reference would send it with every try, and the second try would repeat the first answer.
      minLength: 1,
      maxLength: 255,
    }),
  ),
})

export const BuyAnswer = object(
  'PurchaseAnswer',
  {
    result: Type.Literal('success'),
    data: object('Purchase', giftUUIDs),
  },
  {
    description: 'The card is issued; a replay of an earlier purchase carries `Idempotency-Replayed: true`.',
    examples: [{ result: 'success', data: EXAMPLE_IDS }],
  },
)

export const LookupParams = Type.Object({
  giftUUID: Type.String({
    description: 'The giftId or txId of the purchase (a UUID, in either case), or the number of the card.',
    minLength: 1,
    maxLength: 64,
    examples: [EXAMPLE_IDS.giftId],
  }),
})

export const LookupAnswer = object(
  'GiftCardAnswer',
  {
    result: Type.Literal('Success'),
    data: object('GiftCard', {
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

export const CancelBody = object(
  'CancellationRequest',
  {
    reason: Type.String({
      description: 'Why, for the operator. Kept encrypted.',
      minLength: 1,
      maxLength: 500,
      examples: ['Order 4711 was cancelled'],
    }),
  },
  { examples: [{ reason: 'Order 4711 was cancelled' }] },
)

export const CancelAnswer = object(
  'CancellationAnswer',
  {
    result: Type.Literal('success'),
    data: object('Cancellation', {
      ...giftUUIDs,
      amount: Type.Integer({ description: 'Won that are no longer owed.' }),
      cancelledAt: Type.String({ format: 'date-time' }),
    }),
  },
  {
    description: 'The card is cancelled.',
    examples: [
      { result: 'success', data: { ...EXAMPLE_IDS, amount: 50000, cancelledAt: '2026-11-15T03:04:05.678Z' } },
    ],
  },
)

const Channel = Type.Union([Type.Literal('alimtalk'), Type.Literal('text')], {
  [NAME]: 'Channel',
  description: 'The messaging-app notification, or the text message.',
})

export const ResendAnswer = object(
  'ResendAnswer',
  {
    result: Type.Literal('success'),
    data: object('Resend', { ...giftUUIDs, channels: Type.Array(Channel) }),
  },
  {
    description: 'Messages on these channels are on their way again.',
    examples: [{ result: 'success', data: { ...EXAMPLE_IDS, channels: ['alimtalk', 'text'] } }],
  },
)

const Status = Type.Union(
  [
    Type.Literal('queued'),
    Type.Literal('accepted'),
    Type.Literal('delivered'),
    Type.Literal('failed'),
    Type.Literal('unknown'),
  ],
  {
    [NAME]: 'DeliveryStatus',
    description:
      'queued: to be sent, or to be tried again. accepted: the provider has it. delivered: the recipient has it. ' +
      'failed: it did not arrive. unknown: it may have been sent; the provider is being asked.',
  },
)
const Moment = (description: string) => Type.String({ format: 'date-time', description })
const Reason = Type.Union([Type.String(), Type.Null()], {
  description: 'Why, for example not_a_messenger_user, phone_unreachable, card_voided.',
})

export const DeliveriesAnswer = object(
  'DeliveriesAnswer',
  {
    result: Type.Literal('Success'),
    data: object('CardDeliveries', {
      giftId: giftUUIDs.giftId,
      deliveries: Type.Array(
        object('Delivery', {
          channel: Channel,
          purpose: Type.Union([
            Type.Literal('gift'),
            Type.Literal('resend'),
            Type.Literal('reminder'),
            Type.Literal('cancellation'),
          ]),
          status: Status,
          reason: Reason,
          retryable: Type.Union([Type.Boolean(), Type.Null()], {
            description: 'Of a failure: whether sending it again can help.',
          }),
          attempts: Type.Integer({
            description:
              'How often it was tried, those times included when no provider was there to take it.',
          }),
          createdAt: Moment('When it was to be sent.'),
          sentAt: Type.Union([
            Moment('When the last attempt began; `status` says what came of it.'),
            Type.Null(),
          ]),
          settledAt: Type.Union([Moment('When its outcome was final.'), Type.Null()]),
          events: Type.Array(
            object('DeliveryEvent', {
              at: Moment('When the status changed.'),
              status: Status,
              attempt: Type.Integer(),
              reason: Reason,
            }),
          ),
        }),
      ),
    }),
  },
  {
    description: "The card's messages.",
    examples: [
      {
        result: 'Success',
        data: {
          giftId: EXAMPLE_IDS.giftId,
          deliveries: [
            {
              channel: 'text',
              purpose: 'gift',
              status: 'delivered',
              reason: null,
              retryable: null,
              attempts: 1,
              createdAt: '2026-11-15T03:04:05.000Z',
              sentAt: '2026-11-15T03:04:05.020Z',
              settledAt: '2026-11-15T03:04:08.310Z',
              events: [
                { at: '2026-11-15T03:04:05.000Z', status: 'queued', attempt: 0, reason: null },
                { at: '2026-11-15T03:04:05.130Z', status: 'accepted', attempt: 1, reason: null },
                { at: '2026-11-15T03:04:08.310Z', status: 'delivered', attempt: 1, reason: null },
              ],
            },
          ],
        },
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

export const UsageAnswer = object(
  'Usage',
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
