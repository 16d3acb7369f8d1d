import type { FastifyRequest } from 'fastify'
import { wonToJson } from '#base/money.ts'
import { answers } from '#edge/error-answers.ts'
import { ApiError, badField } from '#edge/errors.ts'
import { jsonBody } from '#edge/json-body.ts'
import type { EdgeDeps, Server } from '#edge/types.ts'
import type { ShownWithdrawal } from '#flows/show-withdrawals.ts'
import type { Gate } from './gate.ts'
import { WithdrawalAnswer, WithdrawalBody, WithdrawalParams, WithdrawalsAnswer } from './trade-schemas.ts'

const tags = ['Withdrawals']

export function registerWithdrawals(scope: Server, deps: EdgeDeps, gate: Gate): void {
  scope.get(
    '/withdrawals',
    {
      schema: {
        operationId: 'withdrawals',
        summary: 'What was asked for, newest first',
        tags,
        response: { 200: WithdrawalsAnswer, ...answers(401, 500, 503) },
      },
    },
    async (request) => {
      const { holderId } = await gate.visitor(request)
      return { withdrawals: (await deps.listWithdrawals(holderId)).map(withdrawalJson) }
    },
  )

  scope.post(
    '/withdrawals',
    {
      ...jsonBody,
      schema: {
        operationId: 'requestWithdrawal',
        summary: 'Have deposit paid out',
        description: 'It leaves the deposit at once, and is paid by the operator.',
        tags,
        body: WithdrawalBody,
        response: { 200: WithdrawalAnswer, ...answers(400, 401, 403, 409, 413, 415, 429, 500, 503) },
      },
    },
    async (request) => {
      const { holderId, name } = await gate.trusted(request)
      const { requestId, amount, bank } = request.body
      const destination = { bank, account: readAccount(request, request.body.account), holder: name }
      const command = { holderId, requestId, amount: BigInt(amount), destination }
      const outcome = await deps.requestWithdrawal(command)
      if (outcome.kind === 'refused') {
        throw new ApiError(outcome.reason === 'insufficient' ? 'insufficient_balance' : 'conflict')
      }
      return withdrawalJson(outcome.withdrawal)
    },
  )

  scope.post(
    '/withdrawals/:withdrawalId/cancel',
    {
      ...jsonBody,
      schema: {
        operationId: 'cancelWithdrawal',
        summary: 'Take a request back',
        description: 'Until it is approved.',
        tags,
        params: WithdrawalParams,
        response: { 200: WithdrawalAnswer, ...answers(400, 401, 403, 404, 409, 429, 500, 503) },
      },
    },
    async (request) => {
      const { holderId } = await gate.trusted(request)
      const outcome = await deps.cancelWithdrawal({ id: request.params.withdrawalId, holderId })
      if (outcome.kind === 'refused') {
        throw new ApiError(outcome.reason === 'not_found' ? 'not_found' : 'conflict')
      }
      return withdrawalJson(outcome.withdrawal)
    },
  )
}

// Digits alone: the same account written another way is the same account.
function readAccount(request: FastifyRequest, typed: string): string {
  const digits = typed.replaceAll('-', '')
  if (digits.length < 6) throw badField(request, 'account', 'must have 6 digits or more')
  return digits
}

function withdrawalJson({ id, amount, bank, account, status, requestedAt, settledAt }: ShownWithdrawal) {
  return {
    id,
    amount: wonToJson(amount),
    bank,
    account,
    status,
    requestedAt: requestedAt.toString({ smallestUnit: 'millisecond' }),
    settledAt: settledAt?.toString({ smallestUnit: 'millisecond' }) ?? null,
  }
}
