import type { FastifyRequest } from 'fastify'
import { assert } from '#base/assert.ts'
import { ceremoniesOf, passkeyCookie } from '#edge/http/cookies.ts'
import { ApiError, badField } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import type { CountAddress } from '#edge/http/request-rate.ts'
import type { Server } from '#edge/http/types.ts'
import type { BegunAdding, PasskeyCare, ShownPasskey } from '#flows/accounts/manage-passkeys.ts'
import type { PasskeyLogin } from '#flows/sessions/log-in-with-passkey.ts'
import { ALGORITHMS } from '#modules/passkeys/ceremony.ts'
import { CEREMONY_SECONDS, cleanName, MAX_PASSKEYS, userHandleOf } from '#modules/passkeys/rules.ts'
import type { RelyingParty } from '#modules/passkeys/types.ts'
import { type MemberAccess, requireFresh, tooMany, type Visitor } from './access.ts'
import { PASSKEY_ROUTES } from './passkey-routes.ts'
import { type OpenedDeps, openedAnswer } from './session.ts'

const TIMEOUT = CEREMONY_SECONDS * 1_000

interface Deps extends OpenedDeps {
  // None where browsers know no passkeys: PUBLIC_URL is an IP address, or plain http.
  passkeys: { party: RelyingParty; login: PasskeyLogin; care: PasskeyCare } | undefined
}

// In the member's own pages only: a partner's app shows its own site, and browsers keep passkeys by site.
export function registerPasskeys(scope: Server, deps: Deps, access: MemberAccess, count: CountAddress): void {
  registerPasskeyLogin(scope, deps, access, count)
  registerAdding(scope, deps, access)
  const { listPasskeys, renamePasskey, removePasskey } = PASSKEY_ROUTES

  scope.get(listPasskeys.url, { schema: listPasskeys.schema }, async (request) => {
    const { care } = offered(deps)
    return answer(await care.list(ownerOf(await access.visitor(request))))
  })
  scope.post(renamePasskey.url, { schema: renamePasskey.schema, ...jsonBody }, async (request) => {
    const { care } = offered(deps)
    const owner = ownerOf(await access.trusted(request))
    const name = cleanName(request.body.name)
    if (name === undefined) throw badField(request, 'name', 'must be 1 to 40 characters')
    if (!(await care.rename(owner, request.params.passkeyId, name))) throw new ApiError('not_found')
    return answer(await care.list(owner))
  })
  scope.delete(removePasskey.url, { schema: removePasskey.schema }, async (request) => {
    const { care } = offered(deps)
    const owner = ownerOf(await access.trusted(request))
    const { deviceLabel } = access.browser(request)
    if (!(await care.remove(owner, request.params.passkeyId, deviceLabel))) throw new ApiError('not_found')
    return answer(await care.list(owner))
  })
}

// Anyone can begin one, and each is a row; one that is finished too late is no guess, and looked at all the same.
function registerPasskeyLogin(scope: Server, deps: Deps, access: MemberAccess, count: CountAddress): void {
  const { beginPasskeyLogin, logInWithPasskey } = PASSKEY_ROUTES
  scope.post(beginPasskeyLogin.url, { schema: beginPasskeyLogin.schema }, async (request, reply) => {
    const { login, party } = offered(deps)
    count('begin passkey', access.address(request))
    const { token, challenge } = await login.begin()
    reply.header('set-cookie', passkeyCookie(access.cookie, token))
    return {
      publicKey: { challenge, rpId: party.id, timeout: TIMEOUT, userVerification: 'required' as const },
    }
  })
  scope.post(
    logInWithPasskey.url,
    { schema: logInWithPasskey.schema, ...jsonBody },
    async (request, reply) => {
      const { login } = offered(deps)
      count('passkey', access.address(request))
      const outcome = await login.finish({
        tokens: ceremoniesOf(request, access.cookie),
        credential: request.body.credential,
        browser: access.browser(request),
      })
      if (outcome.kind === 'limited') throw tooMany(outcome)
      if (outcome.kind === 'refused') throw new ApiError('passkey_failed')
      access.remember(reply, outcome, false)
      return openedAnswer(deps, outcome)
    },
  )
}

function registerAdding(scope: Server, deps: Deps, access: MemberAccess): void {
  const { beginPasskey, addPasskey } = PASSKEY_ROUTES
  const owner = async (request: FastifyRequest) => ownerOf(requireFresh(await access.visitor(request)))
  scope.post(beginPasskey.url, { schema: beginPasskey.schema }, async (request, reply) => {
    const { care, party } = offered(deps)
    const { accountId, sessionId } = await owner(request)
    const begun = await care.begin({ accountId, sessionId })
    if (!begun) throw new ApiError('conflict')
    reply.header('set-cookie', passkeyCookie(access.cookie, begun.token))
    return { publicKey: toMake(party, accountId, begun) }
  })
  scope.post(addPasskey.url, { schema: addPasskey.schema, ...jsonBody }, async (request) => {
    const { care } = offered(deps)
    const who = await owner(request)
    const outcome = await care.add({
      ...who,
      tokens: ceremoniesOf(request, access.cookie),
      credential: request.body.credential,
      deviceLabel: access.browser(request).deviceLabel,
    })
    if (outcome.kind === 'limited') throw tooMany(outcome)
    if (outcome.kind === 'refused') throw new ApiError(outcome.reason)
    return answer(await care.list(who))
  })
}

function offered({ passkeys }: Deps): NonNullable<Deps['passkeys']> {
  if (!passkeys) throw new ApiError('not_found')
  return passkeys
}

function ownerOf({ accountId, sessionId }: Visitor) {
  assert(accountId !== null, "the member's scope has sessions of accounts only")
  return { accountId, sessionId }
}

function toMake(party: RelyingParty, accountId: string, { challenge, loginId, known }: BegunAdding) {
  return {
    challenge,
    rp: { id: party.id, name: 'Ingot' },
    user: { id: userHandleOf(accountId), name: loginId ?? 'Ingot', displayName: loginId ?? 'Ingot' },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: TIMEOUT,
    attestation: 'none' as const,
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      type: 'public-key' as const,
      id: credentialId.toString('base64url'),
      transports: [...transports],
    })),
    // Found by the device itself, without an id typed first; and unlocked by its owner each time.
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true as const,
      userVerification: 'required' as const,
    },
  }
}

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
