import { wonFromJson } from '#base/money.ts'
import { answers } from '#edge/http/error-answers.ts'
import { ApiError, type ErrorCode } from '#edge/http/errors.ts'
import { type FieldRules, toRecord, unlessText } from '#edge/http/invalid-fields.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { PartnerAuth } from '#edge/partner/partner-auth.ts'
import type { BuyGiftCard } from '#flows/gift-cards/buy-gift-cards.ts'
import { normalizeMobile } from '#modules/gift-cards/phone.ts'
import type { PurchaseOutcome } from '#modules/gift-cards/types.ts'
import { EXAMPLE_IDS, giftUUIDs } from './card-schemas.ts'

// One schema validates, types and documents. Fields that are not named here are ignored and never stored.
const BuyBody = object(
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
      // The partner's own bounds are decided in the database, behind the idempotency key (decisions/0006).
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      examples: [50000],
    }),
  },
  { examples: [{ phoneNumber: '010-1234-5678', amount: 50000 }] },
)

const BuyHeaders = Type.Object({
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

const BuyAnswer = object(
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

type Refusal = Extract<PurchaseOutcome, { kind: 'refused' }>['reason']

// Every refusal of the flow must be named here: a new one does not compile until it has an answer.
const REFUSAL_ANSWERS: Record<Refusal, ErrorCode> = {
  partner_suspended: 'forbidden',
  key_reused: 'idempotency_key_reused',
  amount_out_of_bounds: 'invalid_request',
  credit_limit: 'credit_limit_exceeded',
}

const BAD_PHONE = { pointer: '#/phoneNumber', detail: 'must be a Korean mobile number' }

const fieldRules: FieldRules = ({ body }) => {
  const { phoneNumber } = toRecord(body)
  return unlessText(phoneNumber, (text) => normalizeMobile(text) !== undefined) ? [] : [BAD_PHONE]
}

// The answer comes after the commit. The flow decides amounts and credit, because an earlier answer under the same
// idempotency key comes first.
export function registerBuy(server: Server, deps: { buyGiftCard: BuyGiftCard }, auth: PartnerAuth): void {
  server.post(
    '/v2/partner/metal/giftcard/buy',
    {
      ...auth.withKey('giftcards:buy'),
      ...jsonBody,
      config: { fieldRules },
      schema: {
        operationId: 'buyGiftCard',
        summary: 'Buy a gift card',
        description:
          'Issues a gift card during the call. The recipient gets a messaging-app notification and a text ' +
          'message with the PIN.',
        tags: ['Gift cards'],
        headers: BuyHeaders,
        body: BuyBody,
        response: { 200: BuyAnswer, ...answers(400, 401, 402, 403, 413, 415, 422, 429, 500, 503) },
      },
    },
    async (request, reply) => {
      const { phoneNumber, amount } = request.body
      // A retry may spell the number differently: the flow compares the normalised one.
      const recipient = normalizeMobile(phoneNumber)
      if (!recipient) throw new ApiError('invalid_request', [BAD_PHONE])
      // Optional by contract. Without one a retry is a second purchase, so the guide tells partners to send one.
      const idempotencyKey = request.headers['idempotency-key']
      const outcome = await deps.buyGiftCard({
        partnerId: request.caller!.partner.id,
        // Never null here: only a key opens this route.
        keyId: request.caller!.keyId!,
        phoneNumber: recipient,
        amount: wonFromJson(amount),
        idempotencyKey,
      })
      if (outcome.kind === 'refused') throw refusal(outcome.reason)
      // The body is the same either way, so that a retry needs no code of its own. The header tells the two apart.
      if (outcome.kind === 'replayed') reply.header('idempotency-replayed', 'true')
      const { txId, giftId } = outcome.card
      request.about = { kind: 'card', id: giftId }
      return { result: 'success' as const, data: { txId, giftId } }
    },
  )
}

// The caller can correct an amount, so the answer points at it.
function refusal(reason: Refusal): ApiError {
  const parts =
    reason === 'amount_out_of_bounds'
      ? [{ pointer: '#/amount', detail: "must be within the partner's bounds" }]
      : []
  return new ApiError(REFUSAL_ANSWERS[reason], parts).because(reason)
}
