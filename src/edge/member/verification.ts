import type { FastifyRequest } from 'fastify'
import type { ServiceToday } from '#base/time/service-clock.ts'
import { callerAddress } from '#edge/http/caller.ts'
import { ApiError, type ErrorCode } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { type InvalidField, toRecord, unlessText } from '#edge/http/invalid-fields.ts'
import type {
  BeginVerification,
  Begun,
  FindVerification,
  ProofRefusal,
} from '#flows/accounts/verify-identity.ts'
import type { CodeCount } from '#flows/guesses/count-codes.ts'
import type { Guard } from '#flows/guesses/guard-guesses.ts'
import type { GuessMetrics } from '#flows/guesses/metrics.ts'
import { isUnder14 } from '#modules/accounts/rules.ts'
import type { CountedOnce } from '#modules/guesses/types.ts'
import { RESEND_SECONDS } from '#modules/identity/rules.ts'
import type { Purpose } from '#modules/identity/types.ts'
import { isBirthday, isName } from '#modules/members/rules.ts'
import type { Applicant, ConfirmOutcome, StartOutcome } from '#providers/identity/port.ts'
import { type MemberAccess, tooMany } from './access.ts'
import type { IdentityService } from './identity-service.ts'

const REFUSED: Record<ProofRefusal, ErrorCode> = {
  gone: 'identity_failed',
  not_eligible: 'not_eligible',
  under_age: 'under_age',
  other_person: 'other_person',
}

// What verifying a person by a code to the phone needs.
export interface VerificationDeps {
  metrics: GuessMetrics
  identity: IdentityService
  today: ServiceToday
  guard: Guard
  codes: CodeCount
  beginVerification: BeginVerification
  findVerification: FindVerification
}

// What the schema cannot express: a name, a past day, a mobile number in any spelling.
export function badApplicant(body: unknown, today: Temporal.PlainDate): InvalidField[] {
  const { name, birthday, mdn } = toRecord(body)
  const rules: [holds: boolean, pointer: string, detail: string][] = [
    [unlessText(name, isName), '#/name', 'must be a name'],
    [unlessText(birthday, (day) => isBirthday(day, today)), '#/birthday', 'must be a day that has been'],
    [unlessText(mdn, (typed) => /^01[0-9]{8,9}$/.test(toDigits(typed))), '#/mdn', 'must be a mobile number'],
  ]
  return rules.flatMap(([holds, pointer, detail]) => (holds ? [] : [{ pointer, detail }]))
}

// People write numbers with hyphens and blanks. The carrier takes digits.
function toDigits(typed: string): string {
  return typed.replace(/[\s-]/g, '')
}

interface Asked {
  deps: VerificationDeps
  access: MemberAccess
  request: FastifyRequest
}

interface StartWish {
  purpose: Purpose
  sessionId: string | null
  details: Omit<Applicant, 'address'>
}

// Makes the carrier send a code, or throws the refusal.
export async function startVerification({ deps, access, request }: Asked, wish: StartWish): Promise<Begun> {
  const { provider } = deps.identity
  const { purpose, sessionId, details } = wish
  const mdn = toDigits(details.mdn)
  // The service's day, not this machine's: a sandbox that travelled in time has other birthdays.
  const today = await deps.today()
  // Again, because the field rules of a route run only for requests that its schema refused.
  const bad = badApplicant(details, today)
  if (bad.length > 0) throw new ApiError('invalid_request', bad)
  // The carrier would only refuse again.
  if (isUnder14(details.birthday, today)) throw new ApiError('under_age')
  const outcome = await deps.guard.attempt(
    'identity',
    await texted(deps, access, request, mdn),
    async () => {
      // The row comes before the text: a code that arrives has something to be checked against.
      const begun = await deps.beginVerification({ purpose, sessionId, mdn, provider: provider.name })
      // The carrier asks for the caller's own address, whatever failures are counted by.
      const applicant = { ...details, mdn, address: callerAddress(request) }
      return { kind: (await provider.start(begun.id, applicant)).kind, begun }
    },
    costs,
    { onCounted: ({ kind, begun }, counted) => noteText(deps, kind, begun.id, counted), sparesAccount },
  )
  if (outcome.kind === 'limited') throw tooMany(outcome)
  refuseUnsent(outcome)
  return outcome.begun
}

// The same limits as the first text, because to the phone it is another one.
export async function sendAgain({ deps, access, request }: Asked, begun: Begun): Promise<void> {
  const outcome = await deps.guard.attempt(
    'identity',
    await texted(deps, access, request, begun.mdn),
    async () => {
      // Inside the attempt: a resend that is not due calls no provider and does not count.
      const may = await deps.codes.sendAgain(begun.id)
      return may.kind === 'allowed' ? deps.identity.provider.resend(begun.id) : may
    },
    costs,
    { onCounted: ({ kind }, counted) => noteText(deps, kind, begun.id, counted), sparesAccount },
  )
  if (outcome.kind === 'limited') throw tooMany(outcome)
  refuseUnsent(outcome)
}

export const refusedProof = (reason: ProofRefusal) => new ApiError(REFUSED[reason])

// The person whom the carrier names, if the code is right.
export async function checkCode(deps: VerificationDeps, begun: Begun, code: string) {
  const outcome = await confirm(deps, begun, code)
  if (outcome.kind === 'unavailable') throw new ApiError('service_unavailable')
  if (outcome.kind === 'wrong_code') throw new ApiError('wrong_code')
  if (outcome.kind === 'failed') throw new ApiError('identity_failed')
  return outcome.person
}

// The try is counted before the provider is called, so that a hundred at once are no more than five.
async function confirm(
  { codes, identity, metrics }: VerificationDeps,
  { id, mdn }: { id: string; mdn: string },
  code: string,
): Promise<ConfirmOutcome> {
  // The verification has ended, as after five codes.
  if (!(await codes.begin(id))) return { kind: 'failed' }
  const outcome = await identity.provider.confirm(id, code, { mdn })
  // A right code may be typed again, in case the answer was lost.
  // Nor does the provider's outage cost the person a try.
  if (outcome.kind === 'verified' || outcome.kind === 'unavailable') await codes.takeBack(id)
  // Takes back the counted texts: a verified person is no failure (decisions/0037).
  if (outcome.kind === 'verified') await codes.proven(id)
  if (outcome.kind === 'wrong_code') metrics.guessFailures.inc({ kind: 'identity' })
  return outcome
}

// A text may belong to an honest person. A person whom the carrier does not know does not.
async function noteText(
  { codes, metrics }: VerificationDeps,
  kind: string,
  id: string,
  counted: readonly CountedOnce[],
): Promise<void> {
  if (kind === 'sent') await codes.texted(id, counted)
  else metrics.guessFailures.inc({ kind: 'identity' })
}

// Texts are counted by the number they go to. Texts to the owner's own browsers are counted apart, so that a stranger
// cannot keep the owner out. The sandbox sends none and has only a handful of people.
async function texted(deps: VerificationDeps, access: MemberAccess, request: FastifyRequest, mdn: string) {
  const address = access.address(request)
  if (deps.identity.sandboxCode !== null) return { account: undefined, address }
  const trusted = await deps.codes.isTrusted(mdn, access.browser(request).devices)
  return { account: trusted ? `${mdn} trusted` : mdn, address }
}

// Counts every requested text, unless the provider was away or was not called.
function costs({ kind }: { kind: string }): boolean {
  return kind === 'sent' || kind === 'refused'
}

// Otherwise an attacker who knows a number could keep its owner out with made-up names.
function sparesAccount({ kind }: { kind: string }): boolean {
  return kind === 'refused'
}

// `over`: the verification has ended. To the caller this is one that failed.
function refuseUnsent({ kind }: { kind: StartOutcome['kind'] | 'over' }): void {
  if (kind === 'unavailable') throw new ApiError('service_unavailable')
  if (kind !== 'sent') throw new ApiError('identity_failed')
}

// A sandbox answers with the code itself, because no phone gets one.
export function codeAnswer(
  { identity }: Pick<VerificationDeps, 'identity'>,
  { expiresAt }: Pick<Begun, 'expiresAt'>,
) {
  return {
    expiresAt: instantText(expiresAt),
    resendAfterSeconds: RESEND_SECONDS,
    sandboxCode: identity.sandboxCode,
  }
}
