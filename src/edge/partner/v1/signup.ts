import { isCleanText } from '#base/text/text.ts'
import type { ServiceToday } from '#base/time/service-clock.ts'
import { answers } from '#edge/http/error-answers.ts'
import { ApiError, type ErrorCode } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { type FieldRules, type InvalidField, toRecord, unlessText } from '#edge/http/invalid-fields.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { actorOf, type PartnerAuth } from '#edge/partner/partner-auth.ts'
import type { SignUpPartnerUser } from '#flows/partner-users/sign-up-partner-user.ts'
import { isBirthday, isCi, isName } from '#modules/members/rules.ts'
import type { SignupRefusal } from '#modules/members/types.ts'
import { matchesKeyPattern } from '#modules/partners/rules.ts'
import type { KnownPartner } from '#modules/partners/types.ts'
import { KEY_OR_NETWORK, MAX_PARTNER_KEY, partner } from './user-schemas.ts'

const MAX_TERMS = 50

const UserInfo = object(
  'UserInfo',
  {
    name: Type.String({
      description: 'The name used in the identity verification: readable, in one line, no web address.',
      minLength: 1,
      maxLength: 100,
      examples: ['홍길동'],
    }),
    birthday: Type.String({
      description: 'YYYYMMDD: a real day, not in the future.',
      pattern: '^[0-9]{8}$',
      examples: ['19900131'],
    }),
    nationality: Type.Literal('K', { description: 'Domestic citizen.', examples: ['K'] }),
    mdn: Type.String({
      description: 'The mobile number used in the identity verification, digits only.',
      pattern: '^[0-9]{9,15}$',
      examples: ['01012345678'],
    }),
    gender: Type.Enum(['F', 'M'], { type: 'string', examples: ['M'] }),
    ci: Type.String({
      description: 'The 88 characters of the identity verification: ASCII, without blanks.',
      minLength: 88,
      maxLength: 88,
      pattern: '^[!-~]*$',
    }),
  },
  { description: 'As in the carrier identity verification.' },
)

const Terms = object('TermsAgreement', {
  termsId: Type.String({ minLength: 1, maxLength: 64, examples: ['marketing'] }),
  agreeYn: Type.Enum(['Y', 'N'], { type: 'string', examples: ['Y'] }),
})

const EXAMPLE_CI = `${'Q0kgZXhhbXBsZSBvZiBhIHBlcnNvbiB3aG8gZG9lcyBub3QgZXhpc3Qg'.padEnd(86, 'a')}==`

const SignupBody = object(
  'SignupRequest',
  {
    traceNo: Type.String({
      description: 'Any text of yours to trace the call by. Sent back, and kept encrypted with the signup.',
      minLength: 1,
      maxLength: 255,
      examples: ['20261115-0001'],
    }),
    partner,
    partnerKey: Type.Optional(
      Type.String({
        description:
          'Only for a partner with a custom key format, and required there: a key in the agreed format. ' +
          'Otherwise the service issues a UUID.',
        minLength: 1,
        maxLength: MAX_PARTNER_KEY,
      }),
    ),
    userInfo: UserInfo,
    termsList: Type.Optional(
      Type.Array(Terms, {
        description: 'What the user agreed to, each id once. Kept as a dated history.',
        maxItems: MAX_TERMS,
      }),
    ),
  },
  {
    examples: [
      {
        traceNo: '20261115-0001',
        partner: 'hanbit-pay',
        userInfo: {
          name: '홍길동',
          birthday: '19900131',
          nationality: 'K',
          mdn: '01012345678',
          gender: 'M',
          ci: EXAMPLE_CI,
        },
        termsList: [{ termsId: 'marketing', agreeYn: 'Y' }],
      },
    ],
  },
)

const SignupAnswer = object(
  'RegisteredUser',
  {
    traceNo: Type.String({ description: 'As sent.' }),
    partner: Type.String(),
    userKey: Type.String({ description: 'The partner key for later calls.' }),
    newUserYn: Type.Enum(['Y', 'N'], {
      type: 'string',
      description: '`N`: this person was registered with you before, under this userKey.',
    }),
    registeredAt: Type.String({
      format: 'date-time',
      description: 'When this person was registered with you.',
    }),
  },
  {
    description: 'The user is registered.',
    examples: [
      {
        traceNo: '20261115-0001',
        partner: 'hanbit-pay',
        userKey: '019a8b1e-5b6c-7c1d-9a52-6f1f7b3c2d10',
        newUserYn: 'Y',
        registeredAt: '2026-11-15T03:00:00.000Z',
      },
    ],
  },
)

const REFUSAL_ANSWERS: Record<SignupRefusal, ErrorCode> = {
  partner_suspended: 'forbidden',
  user_suspended: 'forbidden',
  key_taken: 'conflict',
  other_key: 'conflict',
}

interface Deps {
  // The service's day, which a sandbox may move.
  today: ServiceToday
  signUpPartnerUser: SignUpPartnerUser
}

// A signup can always be repeated: the same person gets the same user key.
export function registerSignup(server: Server, deps: Deps, auth: PartnerAuth): void {
  const fieldRules: FieldRules = async ({ caller, body }) =>
    // Without a caller the partner is not known, and with it the format of its keys.
    caller ? invalidFields(caller.partner, body, await deps.today()) : []
  server.post(
    '/v1/partners/signup',
    {
      ...auth.named('users:write', ['partner']),
      ...jsonBody,
      config: { fieldRules },
      schema: {
        operationId: 'signUpUser',
        summary: 'Register a user',
        description:
          'Registers a person with the partner and gives the key to use in later calls. The same person again ' +
          'gets the same key; changed details and consents are recorded.',
        tags: ['Users'],
        security: [...KEY_OR_NETWORK],
        body: SignupBody,
        response: { 200: SignupAnswer, ...answers(400, 401, 403, 409, 413, 415, 429, 500, 503) },
      },
    },
    async (request) => {
      const { body } = request
      const { keyId, partner } = request.caller!
      // The field rules run only after the schema refused something, to report all mistakes at once. Here it did not.
      const bad = invalidFields(partner, body, await deps.today())
      if (bad.length > 0) throw new ApiError('invalid_request', bad)
      // The CI names the member. The rest belongs to the link with this partner (decisions/0011).
      const { ci, ...details } = body.userInfo
      const outcome = await deps.signUpPartnerUser({
        partnerId: partner.id,
        partnerKey: body.partnerKey,
        ci,
        details,
        consents: (body.termsList ?? []).map(({ termsId, agreeYn }) => ({
          termsId,
          agreed: agreeYn === 'Y',
        })),
        traceNo: body.traceNo,
        // Kept with the link: if a partner registers people it should not know, the operator can tell by which key.
        registeredBy: keyId ?? 'network',
        actor: actorOf(request),
      })
      if (outcome.kind === 'refused')
        throw new ApiError(REFUSAL_ANSWERS[outcome.reason]).because(outcome.reason)
      // The log has the service's own id of it. `traceNo` is the partner's text and may hold anything, a
      // phone number too.
      request.traceId = outcome.traceId
      request.about = { kind: 'user', id: outcome.linkId }
      return {
        traceNo: body.traceNo,
        partner: partner.code,
        userKey: outcome.userKey,
        // New to this partner. Whether another partner knows the person is not told (decisions/0011).
        newUserYn: outcome.kind === 'new' ? ('Y' as const) : ('N' as const),
        registeredAt: instantText(outcome.registeredAt),
      }
    },
  )
}

// What the schema cannot express. A part that it refused may have any type here, and is not reported twice.
function invalidFields(partner: KnownPartner, body: unknown, today: Temporal.PlainDate): InvalidField[] {
  const { traceNo, partnerKey, userInfo, termsList } = toRecord(body)
  const { name, birthday, ci } = toRecord(userInfo)
  const ids = (Array.isArray(termsList) ? termsList.slice(0, MAX_TERMS) : []).map(
    (terms) => toRecord(terms).termsId,
  )
  const keyDetail = isKeyOrNone(partnerKey) ? badPartnerKey(partner, partnerKey) : undefined
  const rules: [holds: boolean, pointer: string, detail: string][] = [
    [unlessText(traceNo, isCleanText), '#/traceNo', 'must be plain text'],
    [keyDetail === undefined, '#/partnerKey', keyDetail ?? ''],
    [unlessText(name, isName), '#/userInfo/name', 'must be a name that can be read, without a web address'],
    [
      unlessText(birthday, (text) => isBirthday(text, today)),
      '#/userInfo/birthday',
      'must be a real day, not in the future',
    ],
    [unlessText(ci, isCi), '#/userInfo/ci', 'must be 88 ASCII characters without blanks'],
    ...ids.map((id, i): [boolean, string, string] => [
      unlessText(id, (text) => isCleanText(text) && ids.indexOf(id) === i),
      `#/termsList/${i}/termsId`,
      'must be plain text and come once',
    ]),
  ]
  return rules.flatMap(([holds, pointer, detail]) => (holds ? [] : [{ pointer, detail }]))
}

// The schema refuses longer keys. Matching takes time by length, so it does not run for them.
function isKeyOrNone(key: unknown): key is string | undefined {
  return key === undefined || (typeof key === 'string' && key.length <= MAX_PARTNER_KEY)
}

// It was agreed who makes up the keys, the service or the partner. Never both.
function badPartnerKey({ keyFormat, keyPattern }: KnownPartner, key: string | undefined): string | undefined {
  if (keyFormat === 'uuid' || keyPattern === null) {
    return key === undefined ? undefined : 'must be left out: the service issues the key'
  }
  if (key === undefined) return 'is required: a key in the format agreed with the partner'
  return isCleanText(key) && matchesKeyPattern(keyPattern, key)
    ? undefined
    : 'must be in the format agreed with the partner'
}
