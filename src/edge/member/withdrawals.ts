import type { FastifyRequest } from 'fastify'
import { wonToJson } from '#base/money.ts'
import { ApiError, badField } from '#edge/errors.ts'
import { jsonBody } from '#edge/json-body.ts'
import type { EdgeDeps, Server } from '#edge/types.ts'
import type { ShownWithdrawal } from '#flows/show-withdrawals.ts'
import { type Gate, type MemberGate, requireFresh } from './gate.ts'
import { checkPayoutAccount } from './payout-account.ts'
import { TRADE_ROUTES } from './trade-routes.ts'

export function registerWithdrawals(
  scope: Server,
  deps: EdgeDeps,
  gate: Gate & Pick<MemberGate, 'address'>,
): void {
  const { listWithdrawals, requestWithdrawal, cancelWithdrawal } = TRADE_ROUTES
  scope.get(listWithdrawals.url, { schema: listWithdrawals.schema }, async (request) => {
    const { holderId } = await gate.visitor(request)
    return { withdrawals: (await deps.listWithdrawals(holderId)).map(withdrawalJson) }
  })

  scope.post(
    requestWithdrawal.url,
    { schema: requestWithdrawal.schema, ...jsonBody },
    async (request, reply) => {
      const visitor = await gate.visitor(request)
      const { holderId, accountId, name } = visitor
      const { requestId, amount, bank } = request.body
      const destination = { bank, account: readAccount(request, request.body.account), holder: name }
      const command = { holderId, requestId, amount: BigInt(amount), destination }
      const before = await deps.findRequested(command)
      if (before?.kind === 'again') return withdrawalJson(before.withdrawal)
      if (before) throw new ApiError('conflict')
      requireFresh(visitor)
      const who = { accountId, address: gate.address(request), requestId: request.id }
      await checkPayoutAccount(deps, who, destination, reply)
      const outcome = await deps.requestWithdrawal(command)
      if (outcome.kind === 'refused') {
        throw new ApiError(outcome.reason === 'insufficient' ? 'insufficient_balance' : 'conflict')
      }
      return withdrawalJson(outcome.withdrawal)
    },
  )

  scope.post(cancelWithdrawal.url, { schema: cancelWithdrawal.schema, ...jsonBody }, async (request) => {
    const { holderId } = await gate.trusted(request)
    const outcome = await deps.cancelWithdrawal({ id: request.params.withdrawalId, holderId })
    if (outcome.kind === 'refused') {
      throw new ApiError(outcome.reason === 'not_found' ? 'not_found' : 'conflict')
    }
    return withdrawalJson(outcome.withdrawal)
  })
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
