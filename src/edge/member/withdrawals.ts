import type { FastifyRequest } from 'fastify'
import { assert } from '#base/assert.ts'
import { wonToJson } from '#base/money.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError, badField } from '#edge/http/errors.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type { FindEarlierRequest } from '#flows/withdrawals/find-earlier-request.ts'
import type {
  PrecheckWithdrawal,
  RequestWithdrawal,
  WithdrawalRefusal,
} from '#flows/withdrawals/request-withdrawal.ts'
import type { CancelWithdrawal } from '#flows/withdrawals/settle-withdrawal.ts'
import type { ListWithdrawals, ShownWithdrawal } from '#flows/withdrawals/show-withdrawals.ts'
import { BANK_CODES } from '#modules/withdrawals/banks.ts'
import { type Access, type MemberAccess, requireFresh } from './access.ts'
import { checkPayoutAccount, type PayoutDeps } from './payout-account.ts'
import { ACT, SIGNED_IN } from './refusal-lists.ts'
import { moment, WITHDRAWAL_STATUS, won } from './schema-parts.ts'

export const Withdrawal = object(
  'Withdrawal',
  {
    id: uuid(),
    amount: won,
    bank: Type.String({ description: 'Its three-digit code.' }),
    account: Type.String({ description: 'Masked.' }),
    status: WITHDRAWAL_STATUS,
    requestedAt: moment,
    waitsUntil: Type.Union([moment, Type.Null()], {
      description: 'While it waits: it is not paid before this.',
    }),
    settledAt: Type.Union([moment, Type.Null()]),
  },
  { description: 'The withdrawal as it is now.' },
)

const WithdrawalsAnswer = object(
  'Withdrawals',
  { withdrawals: Type.Array(Withdrawal) },
  { description: 'The withdrawals, newest first.' },
)

const WithdrawalBody = object('WithdrawalRequest', {
  requestId: uuid({ description: 'Yours: the same again is the same withdrawal.' }),
  amount: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
  bank: Type.String({
    pattern: `^(?:${BANK_CODES.join('|')})$`,
    description: "A bank's code at Korea's clearing institute.",
    examples: ['088'],
  }),
  account: Type.String({ description: 'Digits; hyphens are ignored.', pattern: '^[0-9-]{6,24}$' }),
})

const WithdrawalParams = Type.Object({ withdrawalId: uuid() })

const ROUTES = {
  listWithdrawals: {
    url: '/withdrawals',
    schema: {
      operationId: 'listWithdrawals',
      summary: 'Won on their way to a bank, newest first',
      tags: ['Withdrawals'],
      response: { 200: WithdrawalsAnswer, ...refusals(...SIGNED_IN) },
    },
  },
  requestWithdrawal: {
    url: '/withdrawals',
    schema: {
      operationId: 'requestWithdrawal',
      summary: 'Ask for deposit to be paid out',
      description:
        'Identity has to be verified in this session, ten minutes ago at most, and the account has to be in the ' +
        "member's own name. The same `requestId` again gets the same answer, however long ago identity was verified. " +
        'A first payout to an account, or one within a day of a new password or phone, waits 24 hours (`waitsUntil`). ' +
        'The member gets a text with a link that stops it.',
      tags: ['Withdrawals'],
      body: WithdrawalBody,
      response: {
        200: Withdrawal,
        ...refusals(
          'step_up_required',
          'account_holder_differs',
          'withdrawals_stopped',
          'insufficient_balance',
          'conflict',
          ...ACT,
        ),
      },
    },
  },
  cancelWithdrawal: {
    url: '/withdrawals/:withdrawalId/cancel',
    schema: {
      operationId: 'cancelWithdrawal',
      summary: 'Take a withdrawal back that nobody has approved',
      tags: ['Withdrawals'],
      params: WithdrawalParams,
      response: { 200: Withdrawal, ...refusals('step_up_required', 'not_found', 'conflict', ...ACT) },
    },
  },
} as const

interface Deps extends PayoutDeps {
  listWithdrawals: ListWithdrawals
  findEarlierRequest: FindEarlierRequest
  precheckWithdrawal: PrecheckWithdrawal
  requestWithdrawal: RequestWithdrawal
  cancelWithdrawal: CancelWithdrawal
}

// A repeated request gets its first answer before anything else is asked: see decisions/0032.
export function registerWithdrawals(
  scope: Server,
  deps: Deps,
  access: Access & Pick<MemberAccess, 'browser'>,
): void {
  const { listWithdrawals, requestWithdrawal, cancelWithdrawal } = ROUTES
  scope.get(listWithdrawals.url, { schema: listWithdrawals.schema }, async (request) => {
    const { holderId } = await access.visitor(request)
    return { withdrawals: (await deps.listWithdrawals(holderId)).map(withdrawalJson) }
  })

  scope.post(requestWithdrawal.url, { schema: requestWithdrawal.schema, ...jsonBody }, async (request) => {
    const visitor = await access.visitor(request)
    const { holderId, accountId, name } = visitor
    assert(accountId !== null, "the member's scope has sessions of accounts only")
    const { requestId, amount, bank } = request.body
    const { deviceLabel, address } = access.browser(request)
    // The holder's name is the member's verified one, never a typed one.
    const destination = { bank, account: readAccount(request, request.body.account), holder: name }
    const command = { holderId, accountId, requestId, amount: BigInt(amount), destination, deviceLabel }
    const before = await deps.findEarlierRequest(command)
    if (before?.kind === 'again') {
      request.about = { kind: 'withdrawal', id: before.withdrawal.id }
      return withdrawalJson(before.withdrawal)
    }
    // The same id for another amount or account is a mistake of the page. Neither wish is guessed at.
    if (before) throw new ApiError('conflict')
    // Only here: a retry whose answer was lost must get it even if the ten minutes are over by now.
    requireFresh(visitor)
    // The bank is asked last: each question costs money.
    const reason = await deps.precheckWithdrawal(command)
    if (reason) throw refusalOf(reason)
    await checkPayoutAccount(deps, { accountId, address, requestId: request.id }, destination)
    // Decides again under its locks. The precheck above only saves a question to the bank.
    const outcome = await deps.requestWithdrawal(command)
    if (outcome.kind === 'refused') throw refusalOf(outcome.reason)
    request.about = { kind: 'withdrawal', id: outcome.withdrawal.id }
    return withdrawalJson(outcome.withdrawal)
  })

  scope.post(cancelWithdrawal.url, { schema: cancelWithdrawal.schema, ...jsonBody }, async (request) => {
    // A known browser is enough to take a request back: the won return to the member, so a thief gains nothing.
    const { holderId } = await access.trusted(request)
    const outcome = await deps.cancelWithdrawal({ id: request.params.withdrawalId, holderId })
    if (outcome.kind === 'refused') {
      throw new ApiError(outcome.reason === 'not_found' ? 'not_found' : 'conflict')
    }
    return withdrawalJson(outcome.withdrawal)
  })
}

const DAY_SECONDS = 86_400

function refusalOf(reason: WithdrawalRefusal): ApiError {
  // The account was closed in the meantime, and its sessions with it.
  if (reason === 'gone') return new ApiError('unauthorized')
  // A day has a limit, because each request sends a text (decisions/0033).
  if (reason === 'too_many') return new ApiError('too_many_requests', [], DAY_SECONDS)
  if (reason === 'stopped') return new ApiError('withdrawals_stopped')
  return new ApiError(reason === 'insufficient' ? 'insufficient_balance' : 'conflict')
}

// Keeps digits only: the same account written another way is the same account.
function readAccount(request: FastifyRequest, typed: string): string {
  const digits = typed.replaceAll('-', '')
  if (digits.length < 6) throw badField(request, 'account', 'must have 6 digits or more')
  return digits
}

export function withdrawalJson(withdrawal: ShownWithdrawal) {
  const { id, amount, bank, account, status, requestedAt, waits, payableAfter, settledAt } = withdrawal
  return {
    id,
    amount: wonToJson(amount),
    bank,
    account,
    status,
    requestedAt: requestedAt.toString({ smallestUnit: 'millisecond' }),
    // Only while it waits: later the moment means nothing to the member.
    waitsUntil: waits ? payableAfter.toString({ smallestUnit: 'millisecond' }) : null,
    settledAt: settledAt?.toString({ smallestUnit: 'millisecond' }) ?? null,
  }
}
