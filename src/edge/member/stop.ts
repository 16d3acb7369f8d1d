import type { FastifyRequest } from 'fastify'
import type { HttpDeps } from '#edge/http/deps.ts'
import { ApiError } from '#edge/http/errors.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import type { Server } from '#edge/http/types.ts'
import type { StopWithdrawal } from '#flows/withdrawals/stop-withdrawal.ts'
import { type MemberAccess, tooMany } from './access.ts'
import { TRADE_ROUTES } from './trade-routes.ts'
import { withdrawalJson } from './withdrawals.ts'

interface Deps extends Pick<HttpDeps, 'contact'> {
  stopWithdrawal: StopWithdrawal
}

// Without a session: whoever has the notice may have lost the password to a thief. The code is in the body, so that it is
// in no log, and a link that somebody only looks at stops nothing.
export function registerStop(scope: Server, deps: Deps, access: MemberAccess): void {
  const { checkStop, stopWithdrawal } = TRADE_ROUTES
  const answer = async (request: FastifyRequest<{ Body: { code: string } }>, act: 'look' | 'stop') => {
    const outcome = await deps.stopWithdrawal[act]({
      code: request.body.code,
      address: access.address(request),
    })
    if (outcome.kind === 'limited') throw tooMany(outcome)
    if (outcome.kind === 'unknown') throw new ApiError('not_found')
    const { state, canStop, others, withdrawal } = outcome
    return {
      state,
      canStop,
      others,
      stopAsked: withdrawal.stopAskedAt !== null,
      withdrawal: withdrawalJson(withdrawal),
      contact: deps.contact,
    }
  }
  scope.post(checkStop.url, { schema: checkStop.schema, ...jsonBody }, (request) => answer(request, 'look'))
  scope.post(stopWithdrawal.url, { schema: stopWithdrawal.schema, ...jsonBody }, (request) =>
    answer(request, 'stop'),
  )
}
