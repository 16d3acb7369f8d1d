import Type from 'typebox'
import { choice, object } from '#edge/http/named-schemas.ts'
import { uuid } from '#edge/http/uuid.ts'

// What the pages and the service exchange. One schema validates, types and documents; the types of the pages are
// generated from the document (contract/member.gen.ts).

export const moment = Type.String({ format: 'date-time', examples: ['2026-11-15T03:00:00Z'] })
export const won = Type.Integer({ description: 'Won.', minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const LOGIN_ID = '^[a-z][a-z0-9_.-]{3,29}$'
const loginId = Type.String({
  description: 'Small letters, digits, `_`, `.` and `-`; begins with a letter; 4 to 30 characters.',
  pattern: LOGIN_ID,
  examples: ['hana90'],
})
const password = Type.String({ description: '10 to 128 characters.', minLength: 1, maxLength: 128 })

export const NoContent = Type.Null({ description: 'Done.' })

// The session.
export const SessionAnswer = object('Session', {
  signedIn: Type.Boolean(),
  sandbox: Type.Boolean({ description: 'No real money, gold or silver.' }),
  kind: Type.Union([Type.Literal('member'), Type.Literal('web_view'), Type.Null()], {
    description: '`member`: by id and password. `web_view`: opened from a partner, without signing up.',
  }),
  name: Type.Union([Type.String(), Type.Null()], { description: 'Masked.', examples: ['홍*동'] }),
  loginId: Type.Union([Type.String(), Type.Null()]),
  partner: Type.Union([Type.String(), Type.Null()], {
    description: "The partner's name, in a web view.",
    examples: ['한빛페이 Hanbit Pay'],
  }),
  mustVerify: Type.Boolean({
    description: 'Whether identity has to be verified before trading, withdrawing and changing the account.',
  }),
  undecidedLinks: Type.Integer({
    description: 'Partners that know this person, whom the member has neither confirmed nor refused.',
    minimum: 0,
  }),
  linkRefused: Type.Boolean({
    description: 'Of a web view that has ended: the person has refused its link, and no app opens it again.',
  }),
})

export const LoginBody = object('LoginRequest', {
  loginId: Type.String({ minLength: 1, maxLength: 64 }),
  password,
})

const gender = choice('Gender', ['F', 'M'])
const purpose = choice('VerificationPurpose', ['sign_up', 'recover', 'step_up'])

// Identity verification: a code goes to the phone that the carrier knows the person by.
export const details = {
  name: Type.String({ minLength: 1, maxLength: 100, examples: ['김하나'] }),
  birthday: Type.String({ description: 'YYYYMMDD.', pattern: '^[0-9]{8}$', examples: ['19900131'] }),
  gender,
  mdn: Type.String({
    description: 'Mobile number; hyphens and spaces are ignored.',
    minLength: 9,
    maxLength: 20,
    examples: ['01000010001'],
  }),
  carrier: choice('Carrier', ['SKT', 'KT', 'LGU', 'SKT_MVNO', 'KT_MVNO', 'LGU_MVNO']),
}
export const IdentityBody = object('IdentityRequest', { purpose, ...details })

export const IdentityAnswer = object('IdentityVerification', {
  verificationId: uuid(),
  expiresAt: moment,
  resendAfterSeconds: Type.Integer({ minimum: 0 }),
  sandboxCode: Type.Union([Type.String(), Type.Null()], {
    description: 'The code itself, where no phone gets one: simulated verification only.',
  }),
})

export const VerificationParams = Type.Object({ verificationId: uuid() })
export const ConfirmBody = object('VerificationCode', {
  code: Type.String({ pattern: '^[0-9]{4,10}$', examples: ['000000'] }),
})

export const ConfirmAnswer = object('VerifiedIdentity', {
  purpose,
  name: Type.String({ description: 'Masked.' }),
  isMember: Type.Boolean({ description: 'Whether this person has an account already.' }),
  loginId: Type.Union([Type.String(), Type.Null()], {
    description: 'Of the account, its middle masked; whole when the purpose is `recover`.',
  }),
  knownThrough: Type.Array(Type.String(), {
    description: 'Names of partners that have registered this person.',
  }),
})

// The sandbox's people, to fill the form with. Empty in live mode.
export const PersonasAnswer = object('Personas', {
  personas: Type.Array(
    object('Persona', {
      name: Type.String(),
      birthday: Type.String(),
      gender,
      mdn: Type.String(),
      carrier: Type.String(),
      note: object('LocalizedText', { ko: Type.String(), en: Type.String() }),
    }),
  ),
})

// A version is named by the day it takes effect.
const version = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-11-16'] })
const AgreedVersions = object(
  'AgreedVersions',
  { terms: version, privacy: version },
  { description: 'What `GET /terms` said and was shown. Others than those in force are a conflict.' },
)
export const TermsAnswer = object('TermsVersions', { terms: version, privacy: version })
const ONBOARDED = 'Without it: the one that was confirmed in the onboarding of this browser.'

export const SignupBody = object('SignupRequest', {
  verificationId: Type.Optional(uuid({ description: ONBOARDED })),
  loginId: Type.Optional(loginId),
  password: Type.Optional(password),
  agreed: object('Agreements', {
    service: Type.Literal(true),
    privacy: Type.Literal(true),
    marketing: Type.Boolean(),
  }),
  versions: Type.Optional(AgreedVersions),
})
export const RecoverBody = object('RecoveryRequest', {
  verificationId: Type.Optional(uuid({ description: ONBOARDED })),
  loginId: Type.Optional(loginId),
  password: Type.Optional(password),
})

// Cards.
export const PIN = {
  description: 'Sixteen characters; hyphens and spaces are ignored.',
  minLength: 1,
  maxLength: 40,
}
export const CardBody = object('CardRequest', {
  pin: Type.Optional(
    Type.String({ ...PIN, description: `${PIN.description} Without it: the card of the onboarding.` }),
  ),
})
export const CardAnswer = object('CardToRegister', {
  amount: won,
  expiresOn: Type.String({ format: 'date' }),
  partner: Type.String({ description: 'The name of the partner that gave it.' }),
  holder: Type.String({ description: 'To whom it would be credited, masked.' }),
  again: Type.Boolean({
    description: 'Whether the same person has registered it already: nothing would be added.',
  }),
})
export const RedeemedAnswer = object('RegisteredCard', {
  amount: won,
  points: Type.Integer({ description: 'Points held now.', minimum: 0 }),
  again: Type.Boolean({
    description: 'Whether the same person had registered it before: nothing was added.',
  }),
  holder: Type.String(),
})

// The account.
export const ProfileAnswer = object('Profile', {
  loginId: Type.Union([Type.String(), Type.Null()], {
    description: 'Null of a member who never chose one and logs in by phone.',
  }),
  name: Type.String({ description: 'Masked, like the rest.' }),
  birthday: Type.String(),
  mdn: Type.String(),
  joinedAt: moment,
  passwordChangedAt: Type.Union([moment, Type.Null()], { description: 'Null without a password.' }),
  marketing: Type.Boolean(),
})
export const ProfileBody = object('ProfileChange', { marketing: Type.Boolean() })

export const SessionsAnswer = object('Sessions', {
  sessions: Type.Array(
    object('DeviceSession', {
      id: uuid(),
      current: Type.Boolean(),
      device: Type.String({
        description: 'Browser and system, as the browser says.',
        examples: ['Chrome · Android'],
      }),
      partner: Type.Union([Type.String(), Type.Null()], {
        description: 'Of a web view: where it was opened.',
      }),
      startedAt: moment,
      seenAt: moment,
    }),
  ),
})
export const SessionParams = Type.Object({ sessionId: uuid() })

export const PasswordBody = object('PasswordChange', {
  current: Type.Optional(password),
  next: password,
  loginId: Type.Optional(loginId),
})

export const LinksAnswer = object('Links', {
  links: Type.Array(
    object('Link', {
      id: uuid(),
      partner: Type.String(),
      registeredAt: moment,
      state: choice('LinkState', ['undecided', 'confirmed', 'refused']),
      seesAll: Type.Boolean({
        description:
          'Whether the partner may look up everything the member holds, or only what came through it.',
      }),
    }),
  ),
})
export const LinkParams = Type.Object({ linkId: uuid() })
export const LinkBody = object('LinkDecision', {
  decision: Type.Enum(['confirm', 'refuse'], { type: 'string' }),
})

export const CloseBody = object('AccountClosure', {
  password: Type.Optional(password),
  waive: Type.Boolean({ description: 'That what is left, less than ₩1,000 in all, may lapse.' }),
})
