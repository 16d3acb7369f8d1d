import { answers } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { actorOf, type PartnerAuth } from '#edge/partner/partner-auth.ts'
import type { ResendCard, ResendOutcome } from '#flows/gift-cards/resend-card.ts'
import { CardParams, Channel, EXAMPLE_IDS, giftUUIDs } from './card-schemas.ts'
import { cardConflict, namedCard } from './named-card.ts'

const ResendAnswer = object(
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

// Sends the same PIN again. The limits for each card keep a script from ringing a stranger's phone.
export function registerResend(server: Server, deps: { resendCard: ResendCard }, auth: PartnerAuth): void {
  server.post(
    '/v2/partner/metal/giftcard/buy/:giftUUID/resend',
    {
      ...auth.withKey('giftcards:buy'),
      ...jsonBody,
      schema: {
        operationId: 'resendGiftCard',
        summary: "Send a card's messages again (extension)",
        description:
          'The same messages with the same PIN, for a card that can still be redeemed. No body. On a channel where a ' +
          'message is still on its way (to be sent, in doubt, or taken less than ten minutes ago) none is added. Once a ' +
          'minute and five times a day for one card.',
        tags: ['Gift cards'],
        params: CardParams,
        response: { 200: ResendAnswer, ...answers(400, 401, 403, 404, 409, 413, 415, 429, 500, 503) },
      },
    },
    async (request) => {
      const outcome = await deps.resendCard({
        partnerId: request.caller!.partner.id,
        card: namedCard(request),
        actor: actorOf(request),
      })
      if (outcome.kind === 'refused') throw refusal(outcome)
      const { card, channels } = outcome
      request.about = { kind: 'card', id: card.id }
      return {
        result: 'success' as const,
        data: { txId: card.txId, giftId: card.id, channels: [...channels] },
      }
    },
  )
}

function refusal({ reason, retryAfterSeconds }: Extract<ResendOutcome, { kind: 'refused' }>): ApiError {
  switch (reason) {
    case 'not_found':
      return new ApiError('not_found')
    // One answer for used, expired and cancelled, as everywhere.
    case 'not_valid':
      return cardConflict('names a card that can no longer be redeemed')
    case 'on_its_way':
      return cardConflict('names a card whose messages are still on their way')
    case 'too_soon':
      return tooMany('names a card whose last message was sent less than a minute ago', retryAfterSeconds)
    case 'too_often':
      return tooMany('names a card that was sent again five times within a day', retryAfterSeconds)
  }
}

function tooMany(detail: string, retryAfterSeconds: number | undefined): ApiError {
  return new ApiError('too_many_requests', [{ parameter: 'giftUUID', detail }], retryAfterSeconds)
}
