import type { FastifyRequest } from 'fastify'
import type { HttpDeps } from '#edge/http/deps.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { StopWithdrawal } from '#flows/withdrawals/stop-withdrawal.ts'
import { type MemberAccess, tooMany } from './access.ts'
import { OPEN_BODY } from './refusal-lists.ts'
import { Withdrawal, withdrawalJson } from './withdrawals.ts'

const StopBody = object('StopCode', {
  code: Type.String({ description: 'From the link in the notice.', minLength: 1, maxLength: 100 }),
})

const StopAnswer = object(
  'Stop',
  {
    state: choice('StopState', ['open', 'on_its_way', 'stopped', 'paid', 'ended'], {
      description:
        'Of this withdrawal. `on_its_way`: approved, the bank may have been told. `ended`: taken back or refused.',
    }),
    canStop: Type.Boolean({
      description:
        'A stop would stop this one and others, and make the account safe. For seven days also if this one has ended.',
    }),
    others: Type.Integer({
      description: "The member's other withdrawals that are still to be paid.",
      minimum: 0,
    }),
    stopAsked: Type.Boolean(),
    withdrawal: Withdrawal,
    contact: Type.String({ description: 'Whom to ask.' }),
  },
  { description: 'The withdrawal that the code stops, and what the code does.' },
)

const ROUTES = {
  checkStop: {
    url: '/stop/check',
    schema: {
      operationId: 'checkStop',
      summary: 'See which withdrawal a code from a notice stops',
      description: 'Needs no session, and changes nothing.',
      tags: ['Withdrawals'],
      body: StopBody,
      response: { 200: StopAnswer, ...refusals('not_found', 'too_many_requests', ...OPEN_BODY) },
    },
  },
  stopWithdrawal: {
    url: '/stop',
    schema: {
      operationId: 'stopWithdrawal',
      summary: 'Stop a withdrawal with the code from its notice',
      description:
        'Needs no session. What is not paid yet goes back to the deposit, every session of the account ends, and nothing ' +
        'more is paid out until the account is recovered with a verified identity. Asked again, it answers the same.',
      tags: ['Withdrawals'],
      body: StopBody,
      response: { 200: StopAnswer, ...refusals('not_found', 'too_many_requests', ...OPEN_BODY) },
    },
  },
} as const

interface Deps extends Pick<HttpDeps, 'contact'> {
  stopWithdrawal: StopWithdrawal
}

// Works without a session: the member who has the notice may have lost the password to a thief. The code is in the
// body, so that no log has it. Looking at the link stops nothing.
export function registerStop(scope: Server, deps: Deps, access: MemberAccess): void {
  const { checkStop, stopWithdrawal } = ROUTES
  const answer = async (request: FastifyRequest<{ Body: { code: string } }>, act: 'look' | 'stop') => {
    const outcome = await deps.stopWithdrawal[act]({
      code: request.body.code,
      address: access.address(request),
    })
    if (outcome.kind === 'limited') throw tooMany(outcome)
    // An unknown code counts as a guess of the address (stop-withdrawal.ts), so trying codes ends soon.
    if (outcome.kind === 'unknown') throw new ApiError('not_found')
    const { state, canStop, others, withdrawal } = outcome
    request.about = { kind: 'withdrawal', id: withdrawal.id }
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
