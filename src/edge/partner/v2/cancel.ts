import { wonToJson } from '#base/money.ts'
import { isCleanText } from '#base/text/text.ts'
import { answers } from '#edge/http/error-answers.ts'
import { ApiError, badField } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { actorOf, type PartnerAuth } from '#edge/partner/partner-auth.ts'
import type { CancelCard } from '#flows/gift-cards/cancel-card.ts'
import type { CancelRefusal } from '#modules/gift-cards/types.ts'
import { CardParams, EXAMPLE_IDS, giftUUIDs } from './card-schemas.ts'
import { cardConflict, namedCard } from './named-card.ts'

const CancelBody = object(
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

const CancelAnswer = object(
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

// `not_found` is left out: it is a 404 for unknown cards and for other partners' cards alike.
const WHY: Record<Exclude<CancelRefusal, 'not_found'>, string> = {
  used: 'names a card that has been used',
  expired: 'names a card that has expired',
  too_late: 'names a card that was bought longer ago than cards can be cancelled',
}

// The partner's own cancellation, within seven days. An operator's `card void` has no such limit.
export function registerCancel(server: Server, deps: { cancelCard: CancelCard }, auth: PartnerAuth): void {
  server.post(
    '/v2/partner/metal/giftcard/buy/:giftUUID/cancel',
    {
      ...auth.withKey('giftcards:buy'),
      ...jsonBody,
      schema: {
        operationId: 'cancelGiftCard',
        summary: 'Cancel a gift card (extension)',
        description:
          'Takes an unused card back within seven days of its purchase: its PIN is dead, its amount is no longer owed ' +
          'and leaves the totals of the day it was issued on. Asked again, it answers the same.',
        tags: ['Gift cards'],
        params: CardParams,
        body: CancelBody,
        response: { 200: CancelAnswer, ...answers(400, 401, 403, 404, 409, 413, 415, 429, 500, 503) },
      },
    },
    async (request) => {
      const { reason } = request.body
      // It is kept sealed for years and shown at terminals: control characters could rewrite what an operator sees.
      if (!isCleanText(reason) || reason.trim() === '') {
        throw badField(request, 'reason', 'must be text of one line, not blank')
      }
      const outcome = await deps.cancelCard({
        partnerId: request.caller!.partner.id,
        card: namedCard(request),
        reason,
        actor: actorOf(request),
      })
      if (outcome.kind === 'refused') {
        throw outcome.reason === 'not_found' ? new ApiError('not_found') : cardConflict(WHY[outcome.reason])
      }
      const { id, txId, amount, voidedAt } = outcome.card
      request.about = { kind: 'card', id }
      return {
        result: 'success' as const,
        data: { txId, giftId: id, amount: wonToJson(amount), cancelledAt: instantText(voidedAt!) },
      }
    },
  )
}
