import { ApiError } from '#edge/errors.ts'
import { jsonBody } from '#edge/json-body.ts'
import type { EdgeDeps, Server } from '#edge/types.ts'
import { versionsInForce } from '#modules/operator/rules.ts'
import type { MemberGate } from './gate.ts'
import { MEMBER_ROUTES } from './routes.ts'
import { openedAnswer } from './session.ts'

export function registerSignup(scope: Server, deps: EdgeDeps, gate: MemberGate): void {
  const { getTerms, signUp, recover } = MEMBER_ROUTES
  const inForce = async () => versionsInForce(deps.operator.texts, (await deps.today()).toString())
  scope.get(getTerms.url, { schema: getTerms.schema }, inForce)

  scope.post(signUp.url, { schema: signUp.schema, ...jsonBody }, async (request, reply) => {
    const { verificationId, loginId, password, agreed, versions: shown } = request.body
    // Whoever read a text that has been replaced since has not agreed to the one in force.
    const versions = await inForce()
    if (shown && (shown.terms !== versions.terms || shown.privacy !== versions.privacy)) {
      throw new ApiError('conflict')
    }
    const outcome = await deps.signUpMember({
      verificationId,
      loginId,
      password,
      marketing: agreed.marketing,
      versions,
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
