import type { FastifyRequest } from 'fastify'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError, badField, type ErrorCode } from '#edge/http/errors.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type { Begun, RecordProof } from '#flows/accounts/verify-identity.ts'
import type { MemberAccess } from './access.ts'
import { ANY, BODY } from './refusal-lists.ts'
import { ConfirmBody, details, gender, moment } from './schema-parts.ts'
import {
  badApplicant,
  checkCode,
  codeAnswer,
  refusedProof,
  sendAgain,
  startVerification,
  type VerificationDeps,
} from './verification.ts'

const purpose = choice('VerificationPurpose', ['sign_up', 'recover', 'step_up'])

const IdentityBody = object('IdentityRequest', { purpose, ...details })

const IdentityAnswer = object(
  'IdentityVerification',
  {
    verificationId: uuid(),
    expiresAt: moment,
    resendAfterSeconds: Type.Integer({ minimum: 0 }),
    sandboxCode: Type.Union([Type.String(), Type.Null()], {
      description: 'The code itself, where no phone gets one: simulated verification only.',
    }),
  },
  { description: 'A code is on its way to the phone.' },
)

const VerificationParams = Type.Object({ verificationId: uuid() })

const ConfirmAnswer = object(
  'VerifiedIdentity',
  {
    purpose,
    name: Type.String({ description: 'Masked.' }),
    isMember: Type.Boolean({ description: 'Whether this person has an account already.' }),
    loginId: Type.Union([Type.String(), Type.Null()], {
      description: 'Of the account, its middle masked; whole when the purpose is `recover`.',
    }),
    knownThrough: Type.Array(Type.String(), {
      description: 'Names of partners that have registered this person.',
    }),
  },
  { description: 'The identity is verified.' },
)

// The sandbox's people, to fill the form with. Empty in live mode.
const PersonasAnswer = object(
  'Personas',
  {
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
  },
  { description: "The sandbox's people." },
)

// `identity_failed` is one code for whatever the carrier refuses: it must not tell a stranger which detail of another
// person was right.
const IDENTITY: ErrorCode[] = ['identity_failed', 'not_found', 'too_many_requests', ...BODY]

const ROUTES = {
  listPersonas: {
    url: '/personas',
    schema: {
      operationId: 'listPersonas',
      summary: "The sandbox's people, to fill the form with",
      tags: ['Identity'],
      response: { 200: PersonasAnswer, ...refusals(...ANY) },
    },
  },
  startIdentity: {
    url: '/identity',
    schema: {
      operationId: 'startIdentity',
      summary: 'Send a code to a phone',
      description: '`step_up` needs a session.',
      tags: ['Identity'],
      body: IdentityBody,
      response: { 200: IdentityAnswer, ...refusals('unauthorized', ...IDENTITY) },
    },
  },
  resendCode: {
    url: '/identity/:verificationId/resend',
    schema: {
      operationId: 'resendCode',
      summary: 'Send another code',
      tags: ['Identity'],
      params: VerificationParams,
      response: { 200: IdentityAnswer, ...refusals(...IDENTITY) },
    },
  },
  confirmCode: {
    url: '/identity/:verificationId/confirm',
    schema: {
      operationId: 'confirmCode',
      summary: 'Type the code',
      description:
        'Of `step_up`: the session is trusted from now on. Of the others: sign up, or set a password, with the same id.',
      tags: ['Identity'],
      params: VerificationParams,
      body: ConfirmBody,
      response: {
        200: ConfirmAnswer,
        ...refusals('wrong_code', 'other_person', 'under_age', 'not_eligible', ...IDENTITY),
      },
    },
  },
} as const

interface Deps extends VerificationDeps {
  recordProof: RecordProof
}

// The provider is called here, between two flows: no transaction waits for it.
export function registerIdentity(scope: Server, deps: Deps, access: MemberAccess): void {
  const { personas } = deps.identity
  const { listPersonas } = ROUTES
  scope.get(listPersonas.url, { schema: listPersonas.schema }, async () => ({ personas: [...personas] }))
  registerStart(scope, deps, access)
  registerResend(scope, deps, access)
  registerConfirm(scope, deps, access)
}

// Sending a code costs money and rings a phone, so it is counted before the provider is called.
function registerStart(scope: Server, deps: VerificationDeps, access: MemberAccess): void {
  const { startIdentity } = ROUTES
  // These rules also run when the schema refuses something, so that a form shows all wrong fields at once.
  const config = { fieldRules: async ({ body }: FastifyRequest) => badApplicant(body, await deps.today()) }
  scope.post(startIdentity.url, { schema: startIdentity.schema, config, ...jsonBody }, async (request) => {
    const { purpose, ...details } = request.body
    const sessionId = await sessionFor(access, request, purpose)
    const begun = await startVerification({ deps, access, request }, { purpose, sessionId, details })
    return begunAnswer(deps, begun)
  })
}

function registerResend(scope: Server, deps: VerificationDeps, access: MemberAccess): void {
  const { resendCode } = ROUTES
  scope.post(resendCode.url, { schema: resendCode.schema }, async (request) => {
    const { begun } = await find(deps, access, request, request.params.verificationId)
    await sendAgain({ deps, access, request }, begun)
    return begunAnswer(deps, begun)
  })
}

// A right code may renew the session: its id and the device's id change together (decisions/0032).
function registerConfirm(scope: Server, deps: Deps, access: MemberAccess): void {
  const { confirmCode } = ROUTES
  scope.post(confirmCode.url, { schema: confirmCode.schema, ...jsonBody }, async (request, reply) => {
    const { begun, session } = await find(deps, access, request, request.params.verificationId)
    const proof = await deps.recordProof({
      id: begun.id,
      // The provider answers before the flow begins, so that no transaction waits for it.
      person: await checkCode(deps, begun, request.body.code),
      session: session && {
        id: session.visitor.sessionId,
        memberId: session.visitor.memberId,
        accountId: session.visitor.accountId,
        browser: access.browser(request),
      },
      today: await deps.today(),
    })
    if (proof.kind === 'refused') throw refusedProof(proof.reason)
    // The old id ends here. A thief who planted it in this browser does not become trusted with its owner.
    if (proof.renewed) access.remember(reply, proof.renewed, session?.framed ?? false)
    const { purpose, maskedName: name, accountId, loginId, knownThrough } = proof
    return { purpose, name, isMember: accountId !== null, loginId, knownThrough: [...knownThrough] }
  })
}

// A step-up belongs to a session. Other verifications belong to the member's pages before there is a session.
async function sessionFor(
  access: MemberAccess,
  request: FastifyRequest,
  purpose: string,
): Promise<string | null> {
  if (purpose === 'step_up') return (await access.visitor(request)).sessionId
  if (access.cookie.sessionKind === 'web_view') throw badField(request, 'purpose', 'must be step_up')
  return null
}

// A step-up of another person or another session is not found.
async function find(deps: VerificationDeps, access: MemberAccess, request: FastifyRequest, id: string) {
  const begun = await deps.findVerification(id)
  // A web view has step-ups only. It must not confirm a verification of the member's own pages.
  if (!begun || (begun.purpose !== 'step_up' && access.cookie.sessionKind === 'web_view'))
    throw new ApiError('not_found')
  const session = begun.purpose === 'step_up' ? await access.session(request) : undefined
  if ((session?.visitor.sessionId ?? null) !== begun.sessionId) throw new ApiError('not_found')
  return { begun, session: session ?? null }
}

function begunAnswer(deps: VerificationDeps, begun: Begun) {
  return { verificationId: begun.id, ...codeAnswer(deps, begun) }
}
