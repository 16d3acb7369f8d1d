import type { HttpDeps } from '#edge/http/deps.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type { DecideCommand, DecisionOutcome } from '#flows/approvals/decide-change.ts'
import { CHANGE_KINDS, type ChangeRequest } from '#modules/approvals/types.ts'
import { isAllowed } from '#modules/staff/permissions.ts'
import type { Withdrawal } from '#modules/withdrawals/types.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { personOf, refusedBy } from './acting-person.ts'
import { ApprovalRequest, OpenWithdrawal, openWithdrawalJson, requestJson } from './approval-schemas.ts'
import { actRefusals, readRefusals, reason } from './object-parts.ts'
import { STAFF_BODY, STAFF_ONLY } from './refusal-lists.ts'

const PAGE = 50

const WaitingAnswer = object(
  'WaitingApprovals',
  {
    requests: Type.Array(ApprovalRequest, { description: 'Oldest first.' }),
    withdrawals: Type.Array(OpenWithdrawal, { description: 'To approve or to pay; oldest first.' }),
  },
  { description: 'Everything that waits for a person.' },
)

const DecidedAnswer = object('DecidedApprovals', {
  requests: Type.Array(ApprovalRequest, { description: 'Newest first.' }),
  next: Type.Union([Type.String(), Type.Null()], { description: '`before` of the next page.' }),
})

const CountAnswer = object('ApprovalCount', {
  requests: Type.Integer(),
  withdrawals: Type.Integer(),
})

const tags = ['Approvals']
const params = Type.Object({ requestId: uuid() })
const SCHEMAS = {
  waiting: {
    operationId: 'waitingApprovals',
    summary: 'What waits for a second person',
    tags,
    response: { 200: WaitingAnswer, ...refusals(...STAFF_ONLY) },
  },
  decided: {
    operationId: 'decidedApprovals',
    summary: 'What was decided, or expired',
    tags,
    querystring: Type.Object({ before: Type.Optional(Type.String({ format: 'date-time' })) }),
    response: { 200: DecidedAnswer, ...refusals(...STAFF_ONLY) },
  },
  count: {
    operationId: 'countApprovals',
    summary: 'How many wait',
    tags,
    response: { 200: CountAnswer, ...refusals(...STAFF_ONLY) },
  },
  show: {
    operationId: 'approval',
    summary: 'One request',
    tags,
    params,
    response: { 200: ApprovalRequest, ...readRefusals },
  },
  approve: {
    operationId: 'approveRequest',
    summary: 'Approve what another person asked for',
    description: 'It is carried out in the same transaction, or not at all.',
    tags,
    params,
    body: object('Approval', { note: Type.Optional(Type.String({ maxLength: 500 })) }),
    response: { 200: ApprovalRequest, ...actRefusals },
  },
  refuse: {
    operationId: 'refuseRequest',
    summary: 'Refuse a request, or take the own one back',
    tags,
    params,
    body: object('RequestRefusal', { reason }),
    response: { 200: ApprovalRequest, ...refusals('not_found', 'conflict', ...STAFF_BODY) },
  },
} as const

interface ApprovalDeps extends Pick<HttpDeps, 'keyMode' | 'trustedProxies'> {
  listWaitingRequests(): Promise<ChangeRequest[]>
  listDecidedRequests(page: { before: Temporal.Instant | undefined; limit: number }): Promise<ChangeRequest[]>
  countWaitingRequests(): Promise<number>
  findRequest(id: string): Promise<ChangeRequest | undefined>
  listOpenWithdrawals(): Promise<Withdrawal[]>
  countOpenWithdrawals(): Promise<number>
  decideChange(command: DecideCommand): Promise<DecisionOutcome>
}

export function registerApprovals(scope: Server, deps: ApprovalDeps, access: ConsoleAccess): void {
  const seen = access.may('approvals.read', 'operator')

  scope.get('/approvals', { ...seen, schema: SCHEMAS.waiting }, async (request) => {
    const staff = staffOf(request)
    const requests = await deps.listWaitingRequests()
    // Withdrawals keep their own two steps, and wait in the same inbox (decisions/0071).
    const withdrawals = isAllowed(staff.role, 'withdrawals.read') ? await deps.listOpenWithdrawals() : []
    return {
      requests: requests.map((one) => requestJson(one, staff)),
      withdrawals: withdrawals.map((one) => openWithdrawalJson(one, staff)),
    }
  })

  scope.get('/approvals/decided', { ...seen, schema: SCHEMAS.decided }, async (request) => {
    const before = request.query.before
    const found = await deps.listDecidedRequests({
      before: before === undefined ? undefined : Temporal.Instant.from(before),
      limit: PAGE,
    })
    const last = found.length === PAGE ? found.at(-1) : undefined
    return {
      requests: found.map((one) => requestJson(one, staffOf(request))),
      // An expired request has no decision, so its end is its place in the list.
      next: last ? instantText(last.decidedAt ?? last.expiresAt) : null,
    }
  })

  // The menu of every page shows these, so they come without the requests themselves.
  scope.get('/approvals/count', { ...seen, schema: SCHEMAS.count }, async () => ({
    requests: await deps.countWaitingRequests(),
    withdrawals: await deps.countOpenWithdrawals(),
  }))

  scope.get('/approvals/:requestId', { ...seen, schema: SCHEMAS.show }, async (request) => {
    const found = await deps.findRequest(request.params.requestId)
    if (!found) throw new ApiError('not_found')
    return requestJson(found, staffOf(request))
  })

  registerDecisions(scope, deps, access)
}

function registerDecisions(scope: Server, deps: ApprovalDeps, access: ConsoleAccess): void {
  // A stolen cookie cannot approve.
  const proven = access.mayWithProof('approvals.decide', 'operator')
  scope.post(
    '/approvals/:requestId/approve',
    { ...proven, schema: SCHEMAS.approve, ...jsonBody },
    async (request) => {
      const outcome = await deps.decideChange({
        ...personOf(deps, request),
        id: request.params.requestId,
        // Each command of the command line decides on its own kinds. The inbox decides on all.
        kinds: CHANGE_KINDS,
        act: 'approve',
        note: request.body.note ?? '',
      })
      if (outcome.kind === 'refused') throw refusedBy(outcome, 'request')
      return requestJson(outcome.request, staffOf(request))
    },
  )

  // Nothing is let out by a refusal, so it needs no proof. Who asked may take it back, whatever the role.
  const seen = access.may('approvals.read', 'operator')
  scope.post(
    '/approvals/:requestId/refuse',
    { ...seen, schema: SCHEMAS.refuse, ...jsonBody },
    async (request) => {
      const staff = staffOf(request)
      const id = request.params.requestId
      const found = await deps.findRequest(id)
      if (!found) throw new ApiError('not_found')
      const isOwn = found.makerStaff === staff.staffId
      if (!isOwn && !isAllowed(staff.role, 'approvals.decide'))
        throw new ApiError('forbidden').because('role_missing')
      const note = request.body.reason
      const outcome = await deps.decideChange({
        ...personOf(deps, request),
        id,
        kinds: CHANGE_KINDS,
        act: 'refuse',
        note,
      })
      if (outcome.kind === 'refused') throw refusedBy(outcome, 'request')
      return requestJson(outcome.request, staff)
    },
  )
}
