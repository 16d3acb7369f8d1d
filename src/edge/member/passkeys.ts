import type { FastifyRequest } from 'fastify'
import { assert } from '#base/assert.ts'
import { ceremoniesOf, passkeyCookie } from '#edge/http/cookies.ts'
import { refusals } from '#edge/http/error-answers.ts'
import type { ErrorCode } from '#edge/http/errors.ts'
import { ApiError, badField } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { CountAddress } from '#edge/http/request-rate.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import { MadeBody, MakeAnswer, toMake } from '#edge/http/webauthn.ts'
import type { ShownPasskey } from '#flows/accounts/manage-passkeys.ts'
import { cleanName, MAX_PASSKEYS } from '#modules/passkeys/rules.ts'
import { type MemberAccess, requireFresh, tooMany, type Visitor } from './access.ts'
import { registerPasskeyLogin } from './passkey-login.ts'
import { offered, type PasskeyDeps, UNAVAILABLE } from './passkey-parts.ts'
import { ANY, OPEN_BODY } from './refusal-lists.ts'
import { moment } from './schema-parts.ts'

const PasskeysAnswer = object(
  'Passkeys',
  {
    passkeys: Type.Array(
      object('Passkey', {
        id: uuid(),
        name: Type.String({ examples: ['Chrome · Android'] }),
        synced: Type.Boolean({ description: 'Whether the member has it on other devices, too.' }),
        blocked: Type.Boolean({ description: 'A copy of it may be about: it no longer logs in.' }),
        createdAt: moment,
        lastUsedAt: Type.Union([moment, Type.Null()]),
      }),
    ),
    canAdd: Type.Boolean({ description: 'Ten are the most.' }),
  },
  { description: "The member's passkeys." },
)

const PasskeyParams = Type.Object({ passkeyId: uuid() })

const PasskeyNameBody = object('PasskeyName', { name: Type.String({ minLength: 1, maxLength: 100 }) })

// What any act on a passkey may be refused for.
const PASSKEY_ACT: ErrorCode[] = [
  'unauthorized',
  'not_found',
  'too_many_requests',
  'step_up_required',
  ...OPEN_BODY,
]

const ROUTES = {
  listPasskeys: {
    url: '/passkeys',
    schema: {
      operationId: 'listPasskeys',
      summary: "The member's passkeys",
      tags: ['Account'],
      response: {
        200: PasskeysAnswer,
        ...refusals('unauthorized', 'not_found', 'too_many_requests', ...ANY),
      },
    },
  },
  beginPasskey: {
    url: '/passkeys/options',
    schema: {
      operationId: 'beginPasskey',
      summary: 'What the browser needs to make a passkey',
      description: `Identity has to be verified in this session within ten minutes. ${UNAVAILABLE}`,
      tags: ['Account'],
      response: { 200: MakeAnswer, ...refusals('conflict', ...PASSKEY_ACT) },
    },
  },
  addPasskey: {
    url: '/passkeys',
    schema: {
      operationId: 'addPasskey',
      summary: 'Add the passkey that the browser made',
      description: 'The member is told by text.',
      tags: ['Account'],
      body: MadeBody,
      response: { 200: PasskeysAnswer, ...refusals('passkey_failed', 'conflict', ...PASSKEY_ACT) },
    },
  },
  renamePasskey: {
    url: '/passkeys/:passkeyId',
    schema: {
      operationId: 'renamePasskey',
      summary: 'Give a passkey another name',
      tags: ['Account'],
      params: PasskeyParams,
      body: PasskeyNameBody,
      response: { 200: PasskeysAnswer, ...refusals(...PASSKEY_ACT) },
    },
  },
  removePasskey: {
    url: '/passkeys/:passkeyId',
    schema: {
      operationId: 'removePasskey',
      summary: 'Remove a passkey',
      description: 'It no longer logs in. The member is told by text.',
      tags: ['Account'],
      params: PasskeyParams,
      response: { 200: PasskeysAnswer, ...refusals(...PASSKEY_ACT) },
    },
  },
} as const

// On the member's own pages only: a partner's app shows its own site, and browsers keep passkeys by site.
export function registerPasskeys(
  scope: Server,
  deps: PasskeyDeps,
  access: MemberAccess,
  count: CountAddress,
): void {
  registerPasskeyLogin(scope, deps, access, count)
  registerAdding(scope, deps, access)
  const { listPasskeys, renamePasskey, removePasskey } = ROUTES

  scope.get(listPasskeys.url, { schema: listPasskeys.schema }, async (request) => {
    const { manage } = offered(deps)
    return answer(await manage.list(ownerOf(await access.visitor(request))))
  })
  scope.post(renamePasskey.url, { schema: renamePasskey.schema, ...jsonBody }, async (request) => {
    const { manage } = offered(deps)
    const owner = ownerOf(await access.trusted(request))
    const name = cleanName(request.body.name)
    if (name === undefined) throw badField(request, 'name', 'must be 1 to 40 characters')
    if (!(await manage.rename(owner, request.params.passkeyId, name))) throw new ApiError('not_found')
    return answer(await manage.list(owner))
  })
  scope.delete(removePasskey.url, { schema: removePasskey.schema }, async (request) => {
    const { manage } = offered(deps)
    // A trusted browser is enough: removing takes a way in away, and the member gets a text.
    const owner = ownerOf(await access.trusted(request))
    // For the notice that the member gets: it names the browser that did this.
    const { deviceLabel } = access.browser(request)
    if (!(await manage.remove(owner, request.params.passkeyId, deviceLabel))) throw new ApiError('not_found')
    return answer(await manage.list(owner))
  })
}

// Adding needs a fresh identity: a stolen session must not become a lasting way in.
function registerAdding(scope: Server, deps: PasskeyDeps, access: MemberAccess): void {
  const { beginPasskey, addPasskey } = ROUTES
  const owner = async (request: FastifyRequest) => ownerOf(requireFresh(await access.visitor(request)))
  scope.post(beginPasskey.url, { schema: beginPasskey.schema }, async (request, reply) => {
    const { manage, party } = offered(deps)
    const { accountId, sessionId } = await owner(request)
    const begun = await manage.begin({ accountId, sessionId })
    // There are ten passkeys already.
    if (!begun) throw new ApiError('conflict')
    // The cookie names the ceremony, so that only the browser that began it can finish it.
    reply.header('set-cookie', passkeyCookie(access.cookie, begun.token))
    // A member who logs in by phone has no login id.
    return { publicKey: toMake(party, { ...begun, ownerId: accountId, name: begun.loginId ?? 'Ingot' }) }
  })
  scope.post(addPasskey.url, { schema: addPasskey.schema, ...jsonBody }, async (request) => {
    const { manage } = offered(deps)
    const who = await owner(request)
    const outcome = await manage.add({
      ...who,
      tokens: ceremoniesOf(request, access.cookie),
      credential: request.body.credential,
      deviceLabel: access.browser(request).deviceLabel,
    })
    if (outcome.kind === 'limited') throw tooMany(outcome)
    if (outcome.kind === 'refused') throw new ApiError(outcome.reason)
    return answer(await manage.list(who))
  })
}

function ownerOf({ accountId, sessionId }: Visitor) {
  assert(accountId !== null, "the member's scope has sessions of accounts only")
  return { accountId, sessionId }
}

// Every act answers with the whole list, so that the page needs no second call.
function answer(passkeys: readonly ShownPasskey[]) {
  return {
    passkeys: passkeys.map(({ createdAt, lastUsedAt, ...passkey }) => ({
      ...passkey,
      createdAt: instantText(createdAt),
      lastUsedAt: lastUsedAt && instantText(lastUsedAt),
    })),
    canAdd: passkeys.length < MAX_PASSKEYS,
  }
}
