import { instantText } from '#edge/http/instant-text.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { OnboardingState } from '#flows/accounts/onboarding.ts'
import { maskPin } from '#modules/onboarding/rules.ts'
import { details, moment, won } from './schema-parts.ts'
import { codeAnswer, type VerificationDeps } from './verification.ts'

// For a visitor who registers a card, logs in by phone or signs up. The data is kept for ten minutes from the last
// use, an hour at most, under an id in a cookie of its own.
export const nothing = Type.Null()

const masked = Type.String({ description: 'Masked.' })

export const OnboardingAnswer = object(
  'Onboarding',
  {
    expiresAt: Type.Union([moment, nothing], { description: 'Null when nothing is kept.' }),
    card: Type.Union([
      object('OnboardingCard', {
        pin: Type.String({ description: 'Masked.', examples: ['••••-••••-••••-7K3Q'] }),
        told: Type.Union(
          [
            object('CardOfLink', {
              partner: Type.String(),
              amount: won,
              expiresOn: Type.String({ format: 'date' }),
            }),
            nothing,
          ],
          { description: "Only for a visitor who came by the link of the card's message." },
        ),
      }),
      nothing,
    ]),
    details: Type.Union([object('PersonDetails', details), nothing], {
      description: 'As typed, until they are verified.',
    }),
    code: Type.Union(
      [
        object('SentCode', {
          expiresAt: moment,
          resendAfterSeconds: Type.Integer({ minimum: 0 }),
          sandboxCode: Type.Union([Type.String(), nothing]),
        }),
        nothing,
      ],
      { description: 'While a code is on its way.' },
    ),
    purpose: Type.Union([Type.Literal('sign_up'), Type.Literal('recover'), nothing]),
    verified: Type.Union(
      [
        object('VerifiedPerson', {
          name: masked,
          isMember: Type.Boolean(),
          loginId: Type.Union([Type.String(), nothing]),
          knownThrough: Type.Array(Type.String()),
        }),
        nothing,
      ],
      { description: 'Once the code was right.' },
    ),
  },
  { description: 'What this visitor has brought and proven so far.' },
)

const NOTHING = { expiresAt: null, card: null, details: null, code: null, purpose: null, verified: null }

// If a code is on its way, the answer also says how long it is valid.
export async function answerOf(
  deps: Pick<VerificationDeps, 'identity' | 'findVerification'>,
  state: OnboardingState | undefined,
) {
  const verification = state?.content.verification
  // Once the code was right there is none to wait for, so nothing is looked up.
  const begun =
    verification && !verification.verified ? await deps.findVerification(verification.id) : undefined
  return answer(state, begun ? codeAnswer(deps, begun) : null)
}

// The PIN never comes out again: pages see its last four characters.
function answer(state: OnboardingState | undefined, code: ReturnType<typeof codeAnswer> | null) {
  if (!state) return NOTHING
  const { card, details, verification } = state.content
  const verified = verification?.verified ?? null
  return {
    expiresAt: instantText(state.expiresAt),
    // A registered card stays in the row, for a lost answer, and is no longer shown.
    card: card && !card.registered ? { pin: maskPin(card.pin), told: card.told } : null,
    details,
    code,
    purpose: verification?.purpose ?? null,
    verified: verified && { ...verified, knownThrough: [...verified.knownThrough] },
  }
}
