import type { FastifyRequest } from 'fastify'
import { onboardingsOf } from '#edge/http/cookies.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { ApiError, badField, type ErrorCode } from '#edge/http/errors.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Onboarding } from '#flows/accounts/onboarding.ts'
import type { Guard } from '#flows/guesses/guard-guesses.ts'
import { type Pin, parsePin } from '#modules/gift-cards/pin.ts'
import type { RedeemRefusal } from '#modules/gift-cards/types.ts'
import type { ExtendRefusal, RefundRefusal } from '#modules/refunds/types.ts'
import { type MemberAccess, tooMany, type Visitor } from './access.ts'
import { PIN } from './schema-parts.ts'

export const CardBody = object('CardRequest', {
  pin: Type.Optional(
    Type.String({ ...PIN, description: `${PIN.description} Without it: the card of the onboarding.` }),
  ),
})

// The document names them all, although most callers only ever get `card_not_registered` (decisions/0043).
export const CARD_REFUSALS = [
  'card_not_registered',
  'card_used',
  'card_expired',
  'card_cancelled',
  'pin_mistyped',
  'not_found',
] as const

// While the alarm is on, a PIN can be tried only for this long after a verification.
const FRESH_PROOF = { minutes: 15 }

export interface CardDeps extends Pick<HttpDeps, 'log'> {
  guard: Guard
  onboarding: Onboarding
}

type CardRefusal = RedeemRefusal | RefundRefusal | ExtendRefusal

// Everything that a PIN opens counts wrong PINs in the same way.
export function createCardGuess(deps: CardDeps, access: MemberAccess) {
  const held = (request: FastifyRequest) => onboardingsOf(request, access.cookie)
  return {
    held,

    // The typed PIN, or the PIN of the card that the visitor brought. A web view always takes a typed one.
    async pinFrom(request: FastifyRequest, typed: string | undefined): Promise<Pin> {
      if (typed !== undefined) return pinOf(typed)
      if (access.cookie.sessionKind === 'web_view') throw badField(request, 'pin', 'must be given')
      const pin = await deps.onboarding.findPin(held(request))
      if (!pin) throw new ApiError('not_found')
      return pin
    },

    // Every refusal counts as a guess, whatever the answer says. The log has the cause.
    async guess<Outcome extends { kind: string }>(
      request: FastifyRequest,
      visitor: Visitor,
      look: () => Promise<Outcome>,
    ): Promise<Exclude<Outcome, { kind: 'refused' }>> {
      const outcome = await deps.guard.attempt<Outcome | { kind: 'unproven' }>(
        'pin',
        // A web view's visitor has no account, so its link is counted instead.
        { account: visitor.accountId ?? visitor.linkId ?? undefined, address: access.address(request) },
        async ({ alarmed, now }) => {
          // While the alarm is on, a recent proof of identity is asked for. That stops guessers and no honest person.
          const since = visitor.verifiedAt
          const proven = since && Temporal.Instant.compare(since, now.subtract(FRESH_PROOF)) > 0
          return alarmed && !proven ? { kind: 'unproven' } : look()
        },
        ({ kind }) => kind === 'refused',
      )
      if (outcome.kind === 'limited') throw tooMany(outcome as { kind: 'limited'; retryAfterSeconds: number })
      if (outcome.kind === 'unproven') throw new ApiError('step_up_required')
      if (outcome.kind === 'refused') {
        const { reason } = outcome as unknown as { reason: CardRefusal }
        deps.log.info('card refused', { requestId: request.id, reason })
        throw new ApiError(refusalFor(visitor, reason))
      }
      return outcome as Exclude<Outcome, { kind: 'refused' }>
    },

    // A refund gives value for a card that is dead to everybody else, so its claimant is known.
    requireVerified(visitor: Visitor): Visitor {
      if (!isVerified(visitor)) throw new ApiError('step_up_required')
      return visitor
    },
  }
}

// What a verified member learns. Every other caller gets `card_not_registered` for all of them.
const TOLD = {
  absent: 'card_not_registered',
  used: 'card_used',
  voided: 'card_cancelled',
  expired: 'card_expired',
  still_valid: 'card_still_valid',
  refunded: 'card_refunded',
  refund_too_late: 'refund_too_late',
  extended: 'card_not_extendable',
  not_extendable: 'card_not_extendable',
} as const satisfies Record<CardRefusal, ErrorCode>

// The same code for every dead PIN, unless the member is verified.
export function refusalFor(visitor: Visitor | undefined, reason: CardRefusal): ErrorCode {
  return visitor && !visitor.isUnder14 && isVerified(visitor) ? TOLD[reason] : 'card_not_registered'
}

// Only a member whose identity is known learns what became of a card. An unconfirmed link does not count. A web view,
// which a partner opens, counts only after a verification in it.
function isVerified({ accountId, memberId, holderId, mustVerify, verifiedAt }: Visitor): boolean {
  return holderId === memberId && !mustVerify && (accountId !== null || verifiedAt !== null)
}

// A typo is reported at once and does not count as a guess: the check character shows that it is no PIN.
export function pinOf(typed: string): Pin {
  const pin = parsePin(typed)
  if (!pin) throw new ApiError('pin_mistyped')
  return pin
}
