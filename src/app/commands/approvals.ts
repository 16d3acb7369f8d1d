import { type Command, table } from '#app/command.ts'
import { decide, payloadText, requestJson } from '#app/commands/approval.ts'
import { differenceLines } from '#app/commands/difference-words.ts'
import { Refused } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { isUuid } from '#base/ids.ts'
import { formatWon } from '#base/money.ts'
import { differenceOf } from '#modules/approvals/difference.ts'
import { originText } from '#modules/approvals/rules.ts'
import { findRequest, listDecided, listWaiting } from '#modules/approvals/store.ts'
import { CHANGE_KINDS, type ChangeRequest } from '#modules/approvals/types.ts'
import { listWithdrawals } from '#modules/withdrawals/store.ts'
import type { Withdrawal } from '#modules/withdrawals/types.ts'

// Everything that takes two people, in one list. Each group also has its own commands.

// More would not be read in a terminal.
const LISTED = 500

const stateOf = ({ status, isExpired }: ChangeRequest) =>
  status === 'waiting' && isExpired ? 'expired' : status

export const approvalsList: Command = {
  usage:
    'approvals list [--decided]\n' +
    'Withdrawals are listed too: `withdrawal approve` and `withdrawal pay` are the two acts of two people.',
  summary: 'list everything that waits for a person, oldest first; --decided: what was decided, newest first',
  positionals: [],
  options: { decided: { type: 'boolean' } },
  async run({ runtime, options }) {
    const { db } = runtime.database
    const requests = options.decided
      ? await listDecided(db, { limit: LISTED })
      : await listWaiting(db, CHANGE_KINDS)
    const withdrawals = options.decided ? [] : await listWithdrawals(db, undefined, LISTED)
    const rows = [...requests.map(requestRow), ...withdrawals.map(withdrawalRow)]
    const header = ['id', 'kind', 'of', 'change', 'asked by', 'state', 'until', 'reason']
    return {
      json: {
        requests: requests.map((one) => ({ ...requestJson(one), status: stateOf(one) })),
        withdrawals: withdrawals.map(({ id, status, amount }) => ({ id, status, amount: Number(amount) })),
      },
      text: rows.length > 0 ? table(header, rows) : options.decided ? 'there are none' : 'nothing waits',
    }
  },
}

function requestRow(one: ChangeRequest): string[] {
  const { id, kind, subject, maker, checker, expiresAt, reason } = one
  const state = checker === null ? stateOf(one) : `${stateOf(one)} by ${checker}`
  return [id, kind, subject, payloadText(one), maker, state, `${expiresAt}`, reason]
}

function withdrawalRow({ id, status, amount, holderId, approvedBy }: Withdrawal): string[] {
  const next = status === 'requested' ? 'to approve' : 'to pay, by another person'
  return [id, 'withdrawal', holderId, formatWon(amount), approvedBy ?? 'its member', next, '–', '–']
}

export const approvalsShow: Command = {
  usage: 'approvals show ID',
  summary: 'show a request: what it changes, who asked, who decided',
  positionals: ['id'],
  options: {},
  async run({ runtime, args }) {
    if (!isUuid(args.id!)) throw new UsageError('a request is named by its id')
    const request = await findRequest(runtime.database.db, args.id!)
    if (!request) throw new Refused('there is no such request')
    const difference = differenceOf(request)
    const makerSeen = originText(request.makerOrigin)
    const checkerSeen = request.checker === null ? null : originText(request.checkerOrigin)
    const json = { ...requestJson(request), status: stateOf(request), difference, makerSeen, checkerSeen }
    const facts = [
      ['id', request.id],
      ['kind', request.kind],
      ['of', request.subject],
      ['state', stateOf(request) + (request.singlePerson ? ', one person for two' : '')],
      ['asked by', `${request.maker} (${makerSeen})`],
      ['asked at', `${request.createdAt}`],
      ['until', `${request.expiresAt}`],
      ['reason', request.reason],
      ...(request.checker === null
        ? []
        : [
            ['decided by', `${request.checker} (${checkerSeen})`],
            ['decided at', `${request.decidedAt}`],
          ]),
    ]
    return {
      json,
      text: [
        ...facts.map(([name, value]) => `${name!.padEnd(12)} ${value}`),
        ...differenceLines(difference),
      ].join('\n'),
    }
  },
}

export const approvalsApprove = decide(
  'approvals',
  CHANGE_KINDS,
  'approve',
  'approve what another person asked for',
)
export const approvalsRefuse = decide(
  'approvals',
  CHANGE_KINDS,
  'refuse',
  'refuse a request, or take your own back',
)
