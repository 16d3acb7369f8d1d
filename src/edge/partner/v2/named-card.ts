import type { FastifyRequest } from 'fastify'
import { ApiError } from '#edge/http/errors.ts'
import { parseCardIdentifier } from '#modules/gift-cards/rules.ts'
import type { CardIdentifier } from '#modules/gift-cards/types.ts'

// The card that the path names, in any of the ways there are.
export function namedCard(request: FastifyRequest<{ Params: { giftUUID: string } }>): CardIdentifier {
  const identifier = parseCardIdentifier(request.params.giftUUID)
  if (identifier) return identifier
  throw new ApiError('invalid_request', [
    { parameter: 'giftUUID', detail: 'must be a giftId, a txId or a card number' },
  ])
}

// Why the card's own state stands against it.
export function cardConflict(detail: string): ApiError {
  return new ApiError('conflict', [{ parameter: 'giftUUID', detail }])
}
