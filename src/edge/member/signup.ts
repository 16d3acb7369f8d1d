import { ApiError } from '#edge/errors.ts'
import { jsonBody } from '#edge/json-body.ts'
import type { EdgeDeps, Server } from '#edge/types.ts'
import type { MemberGate } from './gate.ts'
import { MEMBER_ROUTES } from './routes.ts'
import { openedAnswer } from './session.ts'

export function registerSignup(scope: Server, deps: EdgeDeps, gate: MemberGate): void {
  const { signUp, recover } = MEMBER_ROUTES
  scope.post(signUp.url, { schema: signUp.schema, ...jsonBody }, async (request, reply) => {
    const { verificationId, loginId, password, agreed } = request.body
    const outcome = await deps.signUpMember({
      verificationId,
      loginId,
      password,
      marketing: agreed.marketing,
      browser: gate.browser(request),
    })
    if (outcome.kind === 'refused') throw new ApiError(outcome.reason)
    gate.remember(reply, outcome, false)
    return openedAnswer(deps, outcome)
  })

  scope.post(recover.url, { schema: recover.schema, ...jsonBody }, async (request, reply) => {
    const { verificationId, password } = request.body
    const browser = gate.browser(request)
    const outcome = await deps.recoverAccount({ verificationId, password, browser })
    if (outcome.kind === 'refused') throw new ApiError(outcome.reason)
    gate.remember(reply, outcome, false)
    return openedAnswer(deps, outcome)
  })
}
