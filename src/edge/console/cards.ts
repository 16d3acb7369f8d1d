import { wonToJson } from '#base/money.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import type { Server } from '#edge/http/types.ts'
import type { ResendPreview, VoidPreview } from '#flows/gift-cards/preview-card.ts'
import type { ResendCard } from '#flows/gift-cards/resend-card.ts'
import type { ShowCard } from '#flows/gift-cards/show-card.ts'
import type { VoidCommand, VoidOutcome } from '#flows/gift-cards/void-card.ts'
import { parseCardIdentifier } from '#modules/gift-cards/rules.ts'
import type { CardIdentifier } from '#modules/gift-cards/types.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { personOf, refusedBy } from './acting-person.ts'
import {
  CancelReasonAnswer,
  CardAnswer,
  cardJson,
  ResendAnswer,
  ResendPreviewAnswer,
  VoidAnswer,
  VoidPreviewAnswer,
} from './card-schemas.ts'
import {
  actRefusals,
  cursorOf,
  orNotFound,
  ReasonBody,
  readerOf,
  readRefusals,
  timelineJson,
  timelineSchema,
} from './object-parts.ts'

export interface CardDeps extends Pick<HttpDeps, 'keyMode' | 'trustedProxies'> {
  showCard: ShowCard
  previewResend(card: CardIdentifier): Promise<ResendPreview>
  resendCard: ResendCard
  previewVoid(card: CardIdentifier): Promise<VoidPreview>
  voidCard(command: Omit<VoidCommand, 'approvalFrom'>): Promise<VoidOutcome>
  // From this amount on a void takes two people.
  voidApprovalFrom(): bigint
  revealCancelReason(command: { cardId: string; reason: string; actor: string }): Promise<string | undefined>
}

export const cardParams = Type.Object({
  cardId: Type.String({ description: 'giftId, txId or card number.', minLength: 1, maxLength: 36 }),
})
const tags = ['Cards']
const READ = { params: cardParams, tags }
const ACT = { ...READ, body: ReasonBody }

const SCHEMAS = {
  show: {
    ...READ,
    operationId: 'card',
    summary: 'One card',
    response: { 200: CardAnswer, ...readRefusals },
  },
  timeline: timelineSchema(READ, 'cardTimeline'),
  previewResend: {
    ...READ,
    operationId: 'previewResend',
    summary: 'What sending a card again would do',
    response: { 200: ResendPreviewAnswer, ...readRefusals },
  },
  resend: {
    ...ACT,
    operationId: 'resendCard',
    summary: "Send a card's messages again",
    response: { 200: ResendAnswer, ...actRefusals },
  },
  previewVoid: {
    ...READ,
    operationId: 'previewVoid',
    summary: 'What voiding a card would do',
    response: { 200: VoidPreviewAnswer, ...readRefusals },
  },
  void: {
    ...ACT,
    operationId: 'voidCard',
    summary: 'Take an unused card back',
    description: 'Its amount goes back to the partner, and its recipient is told.',
    response: { 200: VoidAnswer, ...actRefusals },
  },
  cancelReason: {
    ...ACT,
    operationId: 'revealCancelReason',
    summary: 'Show why a partner cancelled a card',
    description: 'The reason may name people, so each look at it is an audit entry.',
    response: { 200: CancelReasonAnswer, ...actRefusals },
  },
} as const

export function registerCards(scope: Server, deps: CardDeps, access: ConsoleAccess): void {
  const seen = access.may('cards.read', 'own')

  scope.get('/cards/:cardId', { ...seen, schema: SCHEMAS.show }, async (request) => {
    const question = { card: cardOf(request.params.cardId), ...readerOf(staffOf(request), 'cards.resend') }
    return cardJson(orNotFound(await deps.showCard.show(question)))
  })

  scope.get('/cards/:cardId/timeline', { ...seen, schema: SCHEMAS.timeline }, async (request) => {
    const question = { card: cardOf(request.params.cardId), ...readerOf(staffOf(request), 'cards.resend') }
    return timelineJson(orNotFound(await deps.showCard.timeline(question, cursorOf(request.query.below))))
  })

  registerResend(scope, deps, access)

  registerVoid(scope, deps, access)

  scope.post(
    '/cards/:cardId/cancel-reason',
    // A partner's reason may name people, so it takes the right to reveal them.
    { ...access.mayWithProof('members.reveal', 'operator'), schema: SCHEMAS.cancelReason, ...jsonBody },
    async (request, reply) => {
      const { actor } = staffOf(request)
      // Finds the card by any of its names, because the reason is stored under the card's id.
      const shown = orNotFound(
        await deps.showCard.show({
          card: cardOf(request.params.cardId),
          partnerId: null,
          withWords: false,
        }),
      )
      const { reason } = request.body
      const told = await deps.revealCancelReason({ cardId: shown.card.id, reason, actor })
      reply.header('cache-control', 'no-store')
      return { cancelReason: told ?? null, shownAt: instantText(shown.record.now) }
    },
  )
}

function registerVoid(scope: Server, deps: CardDeps, access: ConsoleAccess): void {
  scope.get(
    '/cards/:cardId/void',
    { ...access.may('cards.void', 'operator'), schema: SCHEMAS.previewVoid },
    async (request) => {
      const preview = await deps.previewVoid(cardOf(request.params.cardId))
      if (preview.kind === 'refused') {
        if (preview.reason === 'not_found') throw new ApiError('not_found')
        // The schema wants figures in either case. The page shows the reason alone.
        return {
          possible: false,
          refusal: preview.reason,
          amount: 0,
          waits: false,
          owed: 0,
          owedAfter: 0,
          withdrawn: 0,
          told: [],
        }
      }
      const { card, owed, owedAfter, withdrawn, told } = preview
      return {
        possible: true,
        refusal: null,
        amount: wonToJson(card.amount),
        // The same bound as in the act, so that the page announces the second person beforehand.
        waits: card.amount >= deps.voidApprovalFrom(),
        owed: wonToJson(owed),
        owedAfter: wonToJson(owedAfter),
        withdrawn,
        told: [...told],
      }
    },
  )

  scope.post(
    '/cards/:cardId/void',
    { ...access.mayWithProof('cards.void', 'operator'), schema: SCHEMAS.void, ...jsonBody },
    async (request) => {
      const { reason } = request.body
      const card = cardOf(request.params.cardId)
      const outcome = await deps.voidCard({ card, reason, ...personOf(deps, request) })
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      request.about = { kind: 'card', id: outcome.card.id }
      return {
        giftId: outcome.card.id,
        amount: wonToJson(outcome.card.amount),
        waiting: outcome.kind === 'waiting',
        requestId: outcome.kind === 'waiting' ? outcome.request.id : null,
      }
    },
  )
}

// A partner's managers may send their own cards again, hence the tenant `own`.
function registerResend(scope: Server, deps: CardDeps, access: ConsoleAccess): void {
  const may = access.may('cards.resend', 'own')

  scope.get('/cards/:cardId/resend', { ...may, schema: SCHEMAS.previewResend }, async (request) => {
    const card = cardOf(request.params.cardId)
    const { partnerId } = staffOf(request)
    // Also finds out whether the card belongs to the caller's partner: the preview does not ask.
    const { recipient } = orNotFound(await deps.showCard.show({ card, partnerId, withWords: false }))
    const preview = await deps.previewResend(card)
    if (preview.kind === 'refused') {
      const { reason: refusal, retryAfterSeconds = null } = preview
      return { possible: false, refusal, retryAfterSeconds, channels: [], recipient }
    }
    return {
      possible: true,
      refusal: null,
      retryAfterSeconds: null,
      channels: [...preview.channels],
      recipient,
    }
  })

  scope.post('/cards/:cardId/resend', { ...may, schema: SCHEMAS.resend, ...jsonBody }, async (request) => {
    const { actor, partnerId } = staffOf(request)
    const card = cardOf(request.params.cardId)
    const { reason } = request.body
    // Null is the operator, who may send any partner's card again.
    const outcome = await deps.resendCard({ partnerId: partnerId ?? undefined, card, actor, reason })
    if (outcome.kind === 'refused') throw refusedBy(outcome)
    request.about = { kind: 'card', id: outcome.card.id }
    return { giftId: outcome.card.id, channels: [...outcome.channels] }
  })
}

// A text that names no card is a card that is not there.
export function cardOf(text: string): CardIdentifier {
  const identifier = parseCardIdentifier(text)
  if (!identifier) throw new ApiError('not_found')
  return identifier
}
