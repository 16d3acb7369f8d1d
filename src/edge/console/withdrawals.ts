import type { HttpDeps } from '#edge/http/deps.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type { SettleCommand, SettleOutcome } from '#flows/withdrawals/settle-withdrawal.ts'
import type { RevealOutcome, WithdrawalPage } from '#flows/withdrawals/show-withdrawals.ts'
import { isAllowed } from '#modules/staff/permissions.ts'
import type { Staff } from '#modules/staff/types.ts'
import { bankName } from '#modules/withdrawals/banks.ts'
import { WITHDRAWAL_STATUSES } from '#modules/withdrawals/types.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { personOf, refusedBy } from './acting-person.ts'
import {
  actRefusals,
  maybeMoment,
  maybeText,
  moment,
  readerOf,
  readRefusals,
  reason,
} from './object-parts.ts'
import { STAFF_BODY } from './refusal-lists.ts'

const ACTS = ['approve', 'pay', 'refuse'] as const

const WithdrawalEvent = object('WithdrawalEvent', {
  at: moment,
  what: Type.String({ examples: ['requested', 'withdrawal.approve', 'notice.withdrawal_requested'] }),
  by: maybeText,
  details: Type.Array(object('WithdrawalEventDetail', { name: Type.String(), value: Type.String() })),
  requestId: Type.Union([Type.String(), Type.Null()], {
    description: 'Of the request of an API that it was.',
  }),
})

const WithdrawalAnswer = object(
  'ConsoleWithdrawal',
  {
    id: Type.String(),
    status: choice('WithdrawalStatus', WITHDRAWAL_STATUSES),
    amount: Type.Integer({ description: 'Won.' }),
    memberId: Type.String(),
    bank: Type.String({ description: 'The three digits of the bank.' }),
    bankName: object('BankName', { ko: Type.String(), en: Type.String() }),
    account: Type.String({ description: 'Masked.' }),
    requestedAt: moment,
    payableAfter: moment,
    waits: Type.Boolean({
      description: 'It is not paid before `payableAfter`, so that its member can stop it.',
    }),
    frozen: Type.Boolean(),
    stopAskedAt: maybeMoment,
    approvedBy: maybeText,
    approvedAt: maybeMoment,
    settledBy: maybeText,
    settledAt: maybeMoment,
    reason: maybeText,
    singlePerson: Type.Boolean({ description: 'One person approved and paid it, in a sandbox.' }),
    restoreExamined: Type.Boolean({
      description: 'A restore is being examined: nothing is approved or paid.',
    }),
    acts: Type.Array(choice('WithdrawalAct', ACTS), {
      description: 'What the caller may do now, as far as role, person and state go.',
    }),
    mayReveal: Type.Boolean(),
    timeline: Type.Array(WithdrawalEvent, { description: 'Newest first.' }),
  },
  { description: 'One payout.' },
)

const tags = ['Withdrawals']
const params = Type.Object({ withdrawalId: uuid() })
const answers = { 200: WithdrawalAnswer, ...actRefusals }
const SUMMARIES = {
  approve: 'Approve a payout',
  pay: 'Record that an approved payout was paid, by another person',
  refuse: 'Refuse a payout: the won go back to the member',
}
const ActBody = object('WithdrawalActBody', {
  reason,
  notSent: Type.Optional(
    Type.Boolean({
      description: 'Of a refusal: the bank has not sent it. Needed for an approved one of a frozen member.',
    }),
  ),
})
const RevealAnswer = object('PayoutDestination', {
  bank: Type.String(),
  account: Type.String(),
  holder: Type.String(),
})

interface WithdrawalDeps extends Pick<HttpDeps, 'keyMode' | 'trustedProxies'> {
  showWithdrawalPage(question: { id: string; withWords: boolean }): Promise<WithdrawalPage | undefined>
  settleWithdrawal(command: SettleCommand): Promise<SettleOutcome>
  revealDestination(command: { id: string; reason: string; actor: string }): Promise<RevealOutcome>
}

export function registerWithdrawals(scope: Server, deps: WithdrawalDeps, access: ConsoleAccess): void {
  const show = async (id: string, staff: Staff) => {
    // Finance settles them, and support tells members what became of them.
    const { withWords } = readerOf(staff, 'withdrawals.settle', 'members.reveal')
    const page = await deps.showWithdrawalPage({ id, withWords })
    if (!page) throw new ApiError('not_found')
    return pageJson(page, staff)
  }
  const schema = {
    operationId: 'withdrawal',
    summary: 'One payout, masked',
    tags,
    params,
    response: { 200: WithdrawalAnswer, ...readRefusals },
  } as const
  scope.get(
    '/withdrawals/:withdrawalId',
    { ...access.may('withdrawals.read', 'operator'), schema },
    (request) => show(request.params.withdrawalId, staffOf(request)),
  )
  for (const act of ACTS) {
    const schema = {
      operationId: `${act}Withdrawal`,
      summary: SUMMARIES[act],
      tags,
      params,
      body: ActBody,
      response: answers,
    } as const
    const proven = access.mayWithProof('withdrawals.settle', 'operator')
    scope.post(`/withdrawals/:withdrawalId/${act}`, { ...proven, schema, ...jsonBody }, async (request) => {
      const { withdrawalId: id } = request.params
      const { reason, notSent = false } = request.body
      const outcome = await deps.settleWithdrawal({ ...personOf(deps, request), id, act, reason, notSent })
      if (outcome.kind === 'refused') throw refusedBy(outcome, 'withdrawal')
      // The whole page again: it says what this person may do next.
      return show(id, staffOf(request))
    })
  }
  registerReveal(scope, deps, access)
}

// Only whoever pays needs the whole account number, so this is a permission of its own.
function registerReveal(scope: Server, deps: WithdrawalDeps, access: ConsoleAccess): void {
  const schema = {
    operationId: 'revealWithdrawal',
    summary: 'The person and the account to pay',
    description: 'Goes into the audit log.',
    tags,
    params,
    body: object('PayoutReveal', { reason }),
    response: { 200: RevealAnswer, ...refusals('not_found', 'proof_required', ...STAFF_BODY) },
  } as const
  const proven = access.mayWithProof('withdrawals.reveal', 'operator')
  scope.post(
    '/withdrawals/:withdrawalId/reveal',
    { ...proven, schema, ...jsonBody },
    async (request, reply) => {
      const { actor } = staffOf(request)
      const { withdrawalId: id } = request.params
      const outcome = await deps.revealDestination({ id, reason: request.body.reason, actor })
      // The bank account was erased, as after the retention period.
      if (outcome.kind === 'refused' || !outcome.destination) throw new ApiError('not_found')
      const { bank, account, holder } = outcome.destination
      reply.header('cache-control', 'no-store')
      return { bank, account, holder }
    },
  )
}

// What an audit entry has of before and after is an object.
function valueText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, one]) => `${name} ${one}`)
    .join(', ')
}

const textOf = (at: Temporal.Instant | null) => at && instantText(at)

function pageJson({ withdrawal, isMine, restoreExamined, timeline }: WithdrawalPage, staff: Staff) {
  const { id, status, amount, holderId, bank, account, frozen, waits } = withdrawal
  // Another person than the approver pays, unless a sandbox declares one person for both.
  const isPayer = status === 'approved' && !waits && (!isMine(staff) || staff.singlePerson)
  const may = isAllowed(staff.role, 'withdrawals.settle')
  // A freeze and a restore stop what lets won out. A refusal brings them back, so it stays possible.
  const isLetOut = may && !frozen && !restoreExamined
  return {
    id,
    status,
    amount: Number(amount),
    memberId: holderId,
    bank,
    bankName: { ko: bankName(bank, 'ko'), en: bankName(bank, 'en') },
    account,
    requestedAt: instantText(withdrawal.requestedAt),
    payableAfter: instantText(withdrawal.payableAfter),
    waits,
    frozen,
    stopAskedAt: textOf(withdrawal.stopAskedAt),
    approvedBy: withdrawal.approvedBy,
    approvedAt: textOf(withdrawal.approvedAt),
    settledBy: withdrawal.settledBy,
    settledAt: textOf(withdrawal.settledAt),
    reason: withdrawal.reason,
    singlePerson: withdrawal.singlePerson,
    restoreExamined,
    acts: [
      ...(isLetOut && status === 'requested' ? (['approve'] as const) : []),
      ...(isLetOut && isPayer ? (['pay'] as const) : []),
      ...(may && (status === 'requested' || status === 'approved') ? (['refuse'] as const) : []),
    ],
    mayReveal: isAllowed(staff.role, 'withdrawals.reveal'),
    timeline: timeline.map(({ at, what, by, details, requestId }) => ({
      at: instantText(at),
      what,
      by,
      requestId,
      details: Object.entries(details).flatMap(([name, value]) =>
        value === null || value === '' ? [] : [{ name, value: valueText(value) }],
      ),
    })),
  }
}
