import { refusals } from '#edge/http/error-answers.ts'
import { ApiError, badField, type ErrorCode } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import { MadeBody, MakeAnswer, toMake } from '#edge/http/webauthn.ts'
import type { OwnAccount } from '#flows/staff/own-account.ts'
import { cleanName, MAX_PASSKEYS } from '#modules/passkeys/rules.ts'
import type { Staff } from '#modules/staff/types.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { consoleBrowser } from './browser.ts'
import { STAFF_BODY, STAFF_ONLY } from './refusal-lists.ts'
import { code, offered, password, type SignInDeps } from './sign-in.ts'
import { recoveryCodes, TotpAnswer } from './welcome.ts'

const moment = Type.String({ format: 'date-time' })

const AccountAnswer = object(
  'OwnAccount',
  {
    passkeys: Type.Array(
      object('StaffPasskey', {
        id: uuid(),
        name: Type.String({ examples: ['Chrome · Windows'] }),
        blocked: Type.Boolean({ description: 'A copy of it may be about: it no longer signs in.' }),
        createdAt: moment,
        lastUsedAt: Type.Union([moment, Type.Null()]),
      }),
    ),
    canAddPasskey: Type.Boolean(),
    hasPassword: Type.Boolean(),
    recoveryCodes: Type.Integer({ description: 'How many are left.' }),
    singleSignOn: Type.Boolean(),
    isDemo: Type.Boolean({
      description: 'The demo operator of a sandbox, who proves identity with a click.',
    }),
    sessions: Type.Array(
      object('StaffSession', {
        id: uuid(),
        device: Type.String(),
        address: Type.Union([Type.String(), Type.Null()]),
        startedAt: moment,
        seenAt: moment,
        isThis: Type.Boolean(),
      }),
    ),
  },
  { description: 'The own ways in and sessions.' },
)

const CodesAnswer = object('RecoveryCodes', { recoveryCodes })

const route = (operationId: string, summary: string, description?: string) => ({
  operationId,
  summary,
  ...(description === undefined ? {} : { description }),
  tags: ['Session'],
})
const PROVEN = [...STAFF_BODY, 'proof_required'] as const
const ByPasskey = Type.Object({ passkeyId: uuid() })
const BySession = Type.Object({ sessionId: uuid() })

const SCHEMAS = {
  show: {
    ...route('ownAccount', 'The own ways in and sessions'),
    response: { 200: AccountAnswer, ...refusals(...STAFF_ONLY) },
  },
  beginPasskey: {
    ...route('beginOwnPasskey', 'What the browser needs to make a passkey'),
    response: { 200: MakeAnswer, ...refusals('not_found', ...PROVEN) },
  },
  addPasskey: {
    ...route('addOwnPasskey', 'Add the passkey that the browser made'),
    body: MadeBody,
    response: { 200: AccountAnswer, ...refusals('passkey_failed', ...PROVEN) },
  },
  renamePasskey: {
    ...route('renameOwnPasskey', 'Give a passkey another name'),
    params: ByPasskey,
    body: object('StaffPasskeyName', { name: Type.String({ minLength: 1, maxLength: 100 }) }),
    response: { 200: AccountAnswer, ...refusals('not_found', ...PROVEN) },
  },
  removePasskey: {
    ...route('removeOwnPasskey', 'Remove a passkey', 'The other sessions end. The last way in stays: 409.'),
    params: ByPasskey,
    response: { 200: AccountAnswer, ...refusals('not_found', 'conflict', ...PROVEN) },
  },
  totp: {
    ...route('beginOwnPassword', 'A secret for the authenticator app'),
    response: { 200: TotpAnswer, ...refusals(...PROVEN) },
  },
  password: {
    ...route('setOwnPassword', 'Set a password and an authenticator app', 'The other sessions end.'),
    body: object('NewPassword', { password, code }),
    response: { 200: CodesAnswer, ...refusals('weak_password', 'wrong_code', ...PROVEN) },
  },
  removePassword: {
    ...route(
      'removeOwnPassword',
      'Remove the password',
      'The other sessions end. The last way in stays: 409.',
    ),
    response: { 200: AccountAnswer, ...refusals('not_found', 'conflict', ...PROVEN) },
  },
  codes: {
    ...route('renewRecoveryCodes', 'New recovery codes', 'The former ones are good no more.'),
    response: { 200: CodesAnswer, ...refusals('not_found', ...PROVEN) },
  },
  endSession: {
    ...route('endOwnSession', 'End one of the own sessions'),
    params: BySession,
    response: { 200: AccountAnswer, ...refusals('not_found', ...STAFF_BODY) },
  },
  endOthers: {
    ...route('endOtherSessions', 'End all of the own sessions but this one'),
    response: { 200: AccountAnswer, ...refusals(...STAFF_BODY) },
  },
}

type Deps = SignInDeps & { account: OwnAccount }

export function registerOwnAccount(scope: Server, deps: Deps, access: ConsoleAccess): void {
  const { account } = deps
  // Ending sessions only takes access away, so these routes need no proof.
  const own = access.may('self.manage', 'own')
  scope.get('/account', { ...own, schema: SCHEMAS.show }, (request) => shown(deps, staffOf(request)))
  scope.post('/account/sessions/:sessionId/end', { ...own, schema: SCHEMAS.endSession }, async (request) => {
    const staff = staffOf(request)
    const { ended } = await done(account.endSessions(staff, request.params.sessionId))
    if (ended === 0) throw new ApiError('not_found')
    return shown(deps, staff)
  })
  scope.post('/account/sessions/end-others', { ...own, schema: SCHEMAS.endOthers }, async (request) => {
    await done(account.endSessions(staffOf(request), undefined))
    return shown(deps, staffOf(request))
  })
  registerOwnPasskeys(scope, deps, access)
  registerOwnPassword(scope, deps, access)
}

// A stolen session must not become a lasting way in: all of these take a fresh proof.
function registerOwnPasskeys(scope: Server, deps: Deps, access: ConsoleAccess): void {
  const { account } = deps
  const browser = consoleBrowser(deps)
  const proven = access.mayWithProof('self.manage', 'own')
  scope.post(
    '/account/passkeys/options',
    { ...proven, schema: SCHEMAS.beginPasskey },
    async (request, reply) => {
      const { party } = offered(deps.staffPasskeys)
      const staff = staffOf(request)
      const { token, ...begun } = await account.beginPasskey(staff)
      browser.keepCeremony(reply, token)
      return { publicKey: toMake(party, { ...begun, ownerId: staff.staffId, name: staff.email }) }
    },
  )
  scope.post('/account/passkeys', { ...proven, schema: SCHEMAS.addPasskey, ...jsonBody }, async (request) => {
    const tokens = browser.ceremonies(request)
    // The passkey has the name of its browser until its owner gives it another.
    const made = { tokens, credential: request.body.credential, label: browser.of(request).deviceLabel }
    await done(account.addPasskey(staffOf(request), made))
    return shown(deps, staffOf(request))
  })
  scope.post(
    '/account/passkeys/:passkeyId',
    { ...proven, schema: SCHEMAS.renamePasskey, ...jsonBody },
    async (request) => {
      const name = cleanName(request.body.name)
      if (name === undefined) throw badField(request, 'name', 'must be 1 to 40 characters')
      await done(account.renamePasskey(staffOf(request), request.params.passkeyId, name))
      return shown(deps, staffOf(request))
    },
  )
  scope.delete(
    '/account/passkeys/:passkeyId',
    { ...proven, schema: SCHEMAS.removePasskey },
    async (request) => {
      await done(account.removePasskey(staffOf(request), request.params.passkeyId))
      return shown(deps, staffOf(request))
    },
  )
}

// Takes a proof for the same reason as passkeys: it makes a lasting way in.
function registerOwnPassword(scope: Server, deps: Deps, access: ConsoleAccess): void {
  const { account } = deps
  const proven = access.mayWithProof('self.manage', 'own')
  scope.post('/account/totp', { ...proven, schema: SCHEMAS.totp }, async (request) => {
    const { secret, uri } = await done(account.offerTotp(staffOf(request)))
    return { secret, uri }
  })
  scope.post('/account/password', { ...proven, schema: SCHEMAS.password, ...jsonBody }, async (request) => {
    const { recoveryCodes } = await done(account.setPassword(staffOf(request), request.body))
    return { recoveryCodes }
  })
  scope.delete('/account/password', { ...proven, schema: SCHEMAS.removePassword }, async (request) => {
    await done(account.removePassword(staffOf(request)))
    return shown(deps, staffOf(request))
  })
  scope.post('/account/recovery-codes', { ...proven, schema: SCHEMAS.codes }, async (request) => {
    const { recoveryCodes } = await done(account.renewRecoveryCodes(staffOf(request)))
    return { recoveryCodes }
  })
}

const CODES = {
  not_found: 'not_found',
  // A staff member without one could come in again only by a command on the server.
  last_way_in: 'conflict',
  passkey_failed: 'passkey_failed',
  weak_password: 'weak_password',
  wrong_code: 'wrong_code',
  // It ended between the check of the cookie and the act.
  session_over: 'unauthorized',
} as const satisfies Record<string, ErrorCode>

type Done<Outcome> = Exclude<Outcome, { kind: 'refused' }>

// The acts on the own account share their refusals, so one place turns them into answers.
async function done<Outcome extends { kind: 'done' } | { kind: 'refused'; reason: keyof typeof CODES }>(
  act: Promise<Outcome>,
): Promise<Done<Outcome>> {
  const outcome = await act
  if (outcome.kind === 'refused') {
    const { reason } = outcome
    // The page has words of its own for this conflict, so it needs the reason.
    const details = reason === 'last_way_in' ? [{ pointer: '#', detail: reason }] : []
    throw new ApiError(CODES[reason], details)
  }
  return outcome as Done<Outcome>
}

// Every act answers with the whole account, so that the page needs no second call.
async function shown({ account, demo }: Deps, staff: Staff) {
  const { passkeys, sessions, ...rest } = await account.show(staff)
  return {
    ...rest,
    passkeys: passkeys.map(({ createdAt, lastUsedAt, ...passkey }) => ({
      ...passkey,
      createdAt: instantText(createdAt),
      lastUsedAt: lastUsedAt && instantText(lastUsedAt),
    })),
    canAddPasskey: passkeys.length < MAX_PASSKEYS,
    isDemo: (await demo?.isDemo(staff.staffId)) ?? false,
    sessions: sessions.map(({ startedAt, seenAt, ...session }) => ({
      ...session,
      startedAt: instantText(startedAt),
      seenAt: instantText(seenAt),
      isThis: session.id === staff.sessionId,
    })),
  }
}
