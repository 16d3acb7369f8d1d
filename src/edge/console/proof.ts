import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { isLocal } from '#edge/http/forwarding.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { toUse, UseAnswer, UsedBody } from '#edge/http/webauthn.ts'
import type { ProveIdentity } from '#flows/staff/prove-identity.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { consoleBrowser } from './browser.ts'
import { STAFF_BODY } from './refusal-lists.ts'
import { SessionAnswer } from './session.ts'
import { code, letIn, offered, type SignInDeps } from './sign-in.ts'

const PROOF = 'Good for ten minutes, in this session, which goes on under a new cookie.'

const route = (operationId: string, summary: string) => ({
  operationId,
  summary,
  description: PROOF,
  tags: ['Session'],
})

const SCHEMAS = {
  byCode: {
    ...route('proveByCode', 'Prove identity again with a code'),
    body: object('CodeProof', { code }),
    response: { 200: SessionAnswer, ...refusals('wrong_code', ...STAFF_BODY) },
  },
  begin: {
    ...route('beginPasskeyProof', 'What the browser needs to ask for a passkey'),
    response: { 200: UseAnswer, ...refusals('not_found', ...STAFF_BODY) },
  },
  byPasskey: {
    ...route('proveByPasskey', 'Prove identity again with a passkey'),
    body: UsedBody,
    response: { 200: SessionAnswer, ...refusals('passkey_failed', 'not_found', ...STAFF_BODY) },
  },
  asDemo: {
    ...route('proveAsDemo', 'The demo operator of a sandbox, who has nothing to prove it with'),
    response: { 200: SessionAnswer, ...refusals('not_found', ...STAFF_BODY) },
  },
}

type Deps = SignInDeps & { prove: ProveIdentity }

// The password is no proof: browsers fill it in (decisions/0076).
export function registerProof(scope: Server, deps: Deps, access: ConsoleAccess): void {
  const browser = consoleBrowser(deps)
  const own = access.may('self.manage', 'own')
  const { prove } = deps
  scope.post('/session/proof', { ...own, schema: SCHEMAS.byCode, ...jsonBody }, async (request, reply) => {
    const outcome = await prove.byCode(staffOf(request), request.body.code, browser.address(request))
    if (outcome.kind === 'refused') throw new ApiError('wrong_code')
    // The session goes on under a new id, so a copied cookie is not proven along with it (decisions/0076).
    return letIn(deps, browser, reply, outcome)
  })
  scope.post('/session/proof/passkey/options', { ...own, schema: SCHEMAS.begin }, async (request, reply) => {
    const { party } = offered(deps.staffPasskeys)
    const { token, challenge } = await prove.beginPasskey(staffOf(request))
    browser.keepCeremony(reply, token)
    return { publicKey: toUse(party, challenge) }
  })
  const passkey = { ...own, schema: SCHEMAS.byPasskey, ...jsonBody }
  scope.post('/session/proof/passkey', passkey, async (request, reply) => {
    const tokens = browser.ceremonies(request)
    const address = browser.address(request)
    const { credential } = request.body
    const outcome = await prove.byPasskey(staffOf(request), { tokens, credential, address })
    if (outcome.kind === 'refused') throw new ApiError('passkey_failed')
    return letIn(deps, browser, reply, outcome)
  })
  scope.post('/session/proof/demo', { ...own, schema: SCHEMAS.asDemo }, async (request, reply) => {
    const staff = staffOf(request)
    // Only from this machine, as at the demo's sign-in.
    const isDemo = isLocal(request) && ((await deps.demo?.isDemo(staff.staffId)) ?? false)
    const outcome = isDemo ? await prove.asDemo(staff) : undefined
    if (outcome?.kind !== 'opened') throw new ApiError('not_found')
    return letIn(deps, browser, reply, outcome)
  })
}
