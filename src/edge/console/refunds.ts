import { wonFromJson, wonToJson } from '#base/money.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import type { Server } from '#edge/http/types.ts'
import type { MemberLine } from '#flows/members/describe-members.ts'
import type { requestPolicy } from '#flows/refunds/change-policy.ts'
import type { extendCard, previewExtension } from '#flows/refunds/extend-card.ts'
import type { quoteRefund, requestRefund } from '#flows/refunds/refund-card.ts'
import type { RefundPolicy } from '#modules/refunds/types.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { personOf, refusedBy } from './acting-person.ts'
import { linesJson } from './card-schemas.ts'
import { cardOf, cardParams } from './cards.ts'
import { actRefusals, ReasonBody, readRefusals, WaitingAnswer } from './object-parts.ts'
import {
  ExtendedAnswer,
  ExtensionPreviewAnswer,
  PolicyBody,
  PolicyList,
  QuoteAnswer,
  QuoteBody,
  quoteParams,
} from './refund-schemas.ts'
import { STAFF_BODY, STAFF_ONLY } from './refusal-lists.ts'

export interface RefundDeps extends Pick<HttpDeps, 'keyMode' | 'trustedProxies'> {
  previewExtension(card: Parameters<typeof previewExtension>[1]): ReturnType<typeof previewExtension>
  extendCard(command: Parameters<typeof extendCard>[1]): ReturnType<typeof extendCard>
  quoteRefund(command: Parameters<typeof quoteRefund>[1]): ReturnType<typeof quoteRefund>
  requestRefund(command: Parameters<typeof requestRefund>[1]): ReturnType<typeof requestRefund>
  describeMember(id: string): Promise<MemberLine>
  listRefundPolicies(): Promise<RefundPolicy[]>
  requestPolicy(command: Parameters<typeof requestPolicy>[1]): ReturnType<typeof requestPolicy>
  today(): Promise<Temporal.PlainDate>
}

const CARD = { params: cardParams, tags: ['Cards'] }
const tags = ['Refunds']

const SCHEMAS = {
  previewExtension: {
    ...CARD,
    operationId: 'previewExtension',
    summary: 'Until when a card would be valid if it were extended',
    response: { 200: ExtensionPreviewAnswer, ...readRefusals },
  },
  extend: {
    ...CARD,
    operationId: 'extendCard',
    summary: 'Move the last day of a card, once',
    body: ReasonBody,
    response: { 200: ExtendedAnswer, ...actRefusals },
  },
  quote: {
    ...CARD,
    operationId: 'quoteRefund',
    summary: 'What a refund of an expired card would give a member, line by line',
    description: 'By the policy of the day the card was bought. The figures hold until `expiresAt`.',
    body: QuoteBody,
    response: { 200: QuoteAnswer, ...refusals('not_found', 'conflict', ...STAFF_BODY) },
  },
  refund: {
    tags,
    params: quoteParams,
    operationId: 'requestRefund',
    summary: 'Ask to refund a card as quoted',
    description: 'It waits for a second person, and the figures of the quote stand meanwhile.',
    body: ReasonBody,
    response: { 200: WaitingAnswer, ...actRefusals },
  },
  policies: {
    tags,
    operationId: 'refundPolicies',
    summary: 'The refund policies by version, newest first',
    response: { 200: PolicyList, ...refusals(...STAFF_ONLY) },
  },
  addPolicy: {
    tags,
    operationId: 'requestRefundPolicy',
    summary: 'Ask for a new version of the refund policy',
    description: 'What is not given stays as in the version before. It waits for a second person.',
    body: PolicyBody,
    response: { 200: WaitingAnswer, ...refusals('conflict', 'proof_required', ...STAFF_BODY) },
  },
} as const

export function registerRefunds(scope: Server, deps: RefundDeps, access: ConsoleAccess): void {
  registerExtension(scope, deps, access)
  registerRefund(scope, deps, access)
  registerPolicies(scope, deps, access)
}

function registerExtension(scope: Server, deps: RefundDeps, access: ConsoleAccess): void {
  scope.get(
    '/cards/:cardId/extension',
    { ...access.may('cards.extend', 'operator'), schema: SCHEMAS.previewExtension },
    async (request) => {
      const preview = await deps.previewExtension(cardOf(request.params.cardId))
      if (preview.kind === 'extends') {
        const { fromDay, toDay, policy } = preview
        return { possible: true, refusal: null, fromDay, toDay, policy: policy.version }
      }
      if (preview.reason === 'absent') throw refusedBy({ reason: 'not_found' })
      return { possible: false, refusal: preview.reason, fromDay: null, toDay: null, policy: null }
    },
  )

  // It cannot be taken back, and a card has one.
  scope.post(
    '/cards/:cardId/extend',
    { ...access.mayWithProof('cards.extend', 'operator'), schema: SCHEMAS.extend, ...jsonBody },
    async (request) => {
      const { actor } = staffOf(request)
      const { reason } = request.body
      const outcome = await deps.extendCard({ card: cardOf(request.params.cardId), reason, actor })
      if (outcome.kind === 'refused') throw refusedOf(outcome)
      return { giftId: outcome.card.id, fromDay: outcome.fromDay, toDay: outcome.toDay }
    },
  )
}

function registerRefund(scope: Server, deps: RefundDeps, access: ConsoleAccess): void {
  // A quote gives nobody anything.
  scope.post(
    '/cards/:cardId/refund-quotes',
    { ...access.may('refunds.request', 'operator'), schema: SCHEMAS.quote, ...jsonBody },
    async (request) => {
      const card = cardOf(request.params.cardId)
      const outcome = await deps.quoteRefund({ card, ...request.body })
      if (outcome.kind === 'refused') throw refusedOf(outcome)
      const { quote, policy, until } = outcome
      // So that the person sees who would get it, before anything is asked for.
      const { memberId, loginId, name } = await deps.describeMember(quote.holderId)
      return {
        quoteId: quote.id,
        member: { memberId, loginId, name },
        payout: quote.payout,
        ...linesJson(quote),
        policy: policy.version,
        policyFrom: policy.effectiveFrom,
        refundableUntil: until,
        expiresAt: instantText(quote.expiresAt),
      }
    },
  )

  scope.post(
    '/refund-quotes/:quoteId/refund',
    { ...access.mayWithProof('refunds.request', 'operator'), schema: SCHEMAS.refund, ...jsonBody },
    async (request) => {
      const { quoteId } = request.params
      const { reason } = request.body
      const outcome = await deps.requestRefund({ ...personOf(deps, request), quoteId, reason })
      if (outcome.kind === 'refused') throw refusedOf(outcome)
      // Not waiting: this quote was refunded before.
      return outcome.kind === 'waiting'
        ? { waiting: true, requestId: outcome.request.id }
        : { waiting: false, requestId: outcome.refund.requestId }
    },
  )
}

// Where the flow speaks of the card, `absent` is a card that is not there.
function refusedOf(outcome: { reason: string }) {
  return refusedBy(outcome.reason === 'absent' ? { reason: 'not_found' } : outcome)
}

// A new version begins tomorrow at the earliest, so it changes no quote (decisions/0074).
function registerPolicies(scope: Server, deps: RefundDeps, access: ConsoleAccess): void {
  scope.get(
    '/refund-policies',
    { ...access.may('refund_policies.read', 'operator'), schema: SCHEMAS.policies },
    async () => ({
      policies: (await deps.listRefundPolicies()).map(policyJson),
      today: (await deps.today()).toString(),
    }),
  )

  scope.post(
    '/refund-policies',
    { ...access.mayWithProof('refund_policies.change', 'operator'), schema: SCHEMAS.addPolicy, ...jsonBody },
    async (request) => {
      const { version, effectiveFrom, until, reason, smallUpTo, ...rest } = request.body
      const change = { ...rest, ...(smallUpTo === undefined ? {} : { smallUpTo: wonFromJson(smallUpTo) }) }
      const wanted = { version, effectiveFrom, until, change, reason }
      const outcome = await deps.requestPolicy({ ...personOf(deps, request), ...wanted })
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      return { waiting: true, requestId: outcome.request.id }
    },
  )
}

function policyJson(policy: RefundPolicy) {
  return { ...policy, smallUpTo: wonToJson(policy.smallUpTo) }
}
