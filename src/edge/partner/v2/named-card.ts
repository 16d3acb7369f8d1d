import type { FastifyRequest } from 'fastify'
import { ApiError } from '#edge/http/errors.ts'
import { parseCardIdentifier } from '#modules/gift-cards/rules.ts'
import type { CardIdentifier } from '#modules/gift-cards/types.ts'

// The card that the path names: by giftId, txId or number.
export function namedCard(request: FastifyRequest<{ Params: { giftUUID: string } }>): CardIdentifier {
  const identifier = parseCardIdentifier(request.params.giftUUID)
  if (identifier) return identifier
  throw new ApiError('invalid_request', [
    { parameter: 'giftUUID', detail: 'must be a giftId, a txId or a card number' },
  ])
}

// The card's own state forbids the act.
export function cardConflict(detail: string): ApiError {
  return new ApiError('conflict', [{ parameter: 'giftUUID', detail }])
}
