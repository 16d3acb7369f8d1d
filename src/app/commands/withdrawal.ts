import { type Command, type CommandContext, personOf, readReason, table, text } from '#app/command.ts'
import { NOT_PERMITTED, UNBOUND } from '#app/commands/approval-words.ts'
import { changeLines, changesJson } from '#app/commands/changes.ts'
import { orRefuse, Refused } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { isUuid } from '#base/ids.ts'
import { formatWon, wonToJson } from '#base/money.ts'
import { settleWithdrawal } from '#flows/withdrawals/settle-withdrawal.ts'
import {
  revealDestination,
  type ShownWithdrawal,
  showWithdrawal,
} from '#flows/withdrawals/show-withdrawals.ts'
import { listAuditEntries } from '#modules/audit/store.ts'
import { listNoticesOf } from '#modules/deliveries/notices/store.ts'
import { readMarks } from '#modules/restorations/store.ts'
import { findWithdrawal, listWithdrawals } from '#modules/withdrawals/store.ts'
import { type SettleRefusal, WITHDRAWAL_STATUSES, type WithdrawalStatus } from '#modules/withdrawals/types.ts'

// More would not be read in a terminal.
const LISTED = 500

function readId({ args }: CommandContext): string {
  if (!isUuid(args.id!)) throw new UsageError('a withdrawal is named by its id')
  return args.id!
}

// The account is masked here. Only `--reveal` shows it whole, and leaves a trace.
function toJson(withdrawal: ShownWithdrawal) {
  const { requestedAt, approvedAt, settledAt, payableAfter, stopAskedAt, amount, ...rest } = withdrawal
  return {
    ...rest,
    amount: wonToJson(amount),
    requestedAt: requestedAt.toString(),
    payableAfter: payableAfter.toString(),
    approvedAt: approvedAt?.toString() ?? null,
    settledAt: settledAt?.toString() ?? null,
    stopAskedAt: stopAskedAt?.toString() ?? null,
  }
}

export const withdrawalList: Command = {
  usage: `withdrawal list [--status ${WITHDRAWAL_STATUSES.join('|')}]`,
  summary: 'list the withdrawals that wait, oldest first, or those of one status',
  positionals: [],
  options: { status: { type: 'string' } },
  async run({ runtime, options }) {
    const status = text(options, 'status')
    if (status !== undefined && !WITHDRAWAL_STATUSES.includes(status as WithdrawalStatus)) {
      throw new UsageError(`--status is one of ${WITHDRAWAL_STATUSES.join(', ')}`)
    }
    const found = await listWithdrawals(runtime.database.db, status as WithdrawalStatus | undefined, LISTED)
    const shown = found.map((one) => toJson(showWithdrawal(runtime.keys.vault(), one)))
    const restoredAt = (await readMarks(runtime.database.db))?.restoredAt
    const rows = shown.map((one) => [
      one.id,
      one.status,
      formatWon(BigInt(one.amount)),
      `${one.bank} ${one.account}`,
      one.requestedAt,
      noteOf(one, restoredAt),
      one.approvedBy ?? '–',
    ])
    const header = ['id', 'status', 'amount', 'account', 'requested', 'note', 'approved by']
    return { json: shown, text: rows.length > 0 ? table(header, rows) : 'there are none' }
  },
}

// The first reason not to pay it.
function noteOf(one: ReturnType<typeof toJson>, restoredAt: Temporal.Instant | undefined): string {
  const isOpen = one.status === 'requested' || one.status === 'approved'
  // The lost time may have paid it.
  if (isOpen && restoredAt && Temporal.Instant.compare(one.requestedAt, restoredAt) <= 0)
    return 'from before a restore: look at the bank first'
  if (one.frozen) return 'the member is frozen'
  if (one.waits) return `waits until ${one.payableAfter}`
  return one.stopAskedAt ? 'the member asks to stop it' : '–'
}

export const withdrawalShow: Command = {
  usage: 'withdrawal show ID [--reveal --reason TEXT]',
  summary: 'show a withdrawal, masked; --reveal, to pay it, goes into the audit log',
  positionals: ['id'],
  options: { reveal: { type: 'boolean' }, reason: { type: 'string' } },
  async run(context) {
    const { runtime, options, actor } = context
    const id = readId(context)
    const vault = runtime.keys.vault()
    // Before the reveal: an unknown id leaves no audit entry.
    const withdrawal = await findWithdrawal(runtime.database.db, id)
    if (!withdrawal) throw new Refused(REFUSALS.not_found)
    const reveal = options.reveal && { id, reason: readReason(context), actor }
    const outcome = reveal ? await revealDestination(runtime.database, vault, reveal) : undefined
    const revealed = outcome && orRefuse(outcome, () => REFUSALS.not_found).destination
    const changes = changesJson(await listAuditEntries(runtime.database.db, vault, id))
    const notices = (await listNoticesOf(runtime.database.db, id)).map(({ at, ...notice }) => ({
      ...notice,
      at: at.toString(),
    }))
    const json = { ...toJson(showWithdrawal(vault, withdrawal)), ...revealed, notices, changes }
    const lines = Object.entries(json).flatMap(([name, value]) =>
      Array.isArray(value) ? [] : `${name.padEnd(12)} ${value ?? '–'}`,
    )
    const told = notices.map((n) => `  ${n.at}  ${n.purpose}  ${n.status}  ${n.reason ?? ''}`.trimEnd())
    return { json, text: [...lines, 'notices', ...told, 'changes', ...changeLines(changes)].join('\n') }
  },
}

// An operator meets these while money is on its way. Each says what to do next, or why nothing is to be done.
const REFUSALS: Record<SettleRefusal, string> = {
  not_found: 'there is no such withdrawal',
  restore_examined:
    'the database was restored, and what was lost is still examined: `ingot restored report` shows how far. After that, ask the bank ' +
    'whether this one was paid before',
  unknown_person: 'the machine does not say who you are: use an account with a name',
  unbound_account: UNBOUND,
  not_permitted: NOT_PERMITTED,
  same_person: 'another person has to pay what you approved',
  same_login:
    'the machine says that it was you who approved it, by log-in, sudo, account or terminal: another person has to pay it',
  waits: 'it waits, so that its member can stop it',
  requested: 'nobody has approved it yet',
  approved: 'it is approved already',
  paid: 'it is paid already',
  cancelled: 'the member took it back',
  refused: 'it was refused',
  frozen: 'its member is frozen: nothing is approved or paid out until `member thaw`; it can be refused',
  may_have_left:
    'it is approved and its member is frozen: the won may have left. Ask the bank. Not sent: refuse it with --not-sent. ' +
    'Sent: `withdrawal pay` says what to do',
}
// If the bank has paid already, the books must say so, freeze or not.
const FROZEN_PAY =
  'its member is frozen: do not send it. If the bank has sent it already: `member thaw`, `withdrawal pay`, `member freeze` again, in ' +
  'this order, at once and with the reason; where a thaw is forbidden, finance decides. If it has not: `withdrawal refuse --not-sent`'

function act(verb: 'approve' | 'pay' | 'refuse', done: string, summary: string): Command {
  const canSayNotSent = verb === 'refuse'
  return {
    usage:
      `withdrawal ${verb} ID --reason TEXT [--as NAME]` +
      (canSayNotSent
        ? ' [--not-sent]\n--not-sent says that the bank has not sent it: needed for an approved one of a frozen member'
        : ''),
    summary,
    positionals: ['id'],
    options: {
      reason: { type: 'string' },
      as: { type: 'string' },
      // Approve and pay reject it as an unknown option.
      ...(canSayNotSent ? { 'not-sent': { type: 'boolean' } as const } : {}),
    },
    async run(context) {
      const command = {
        id: readId(context),
        act: verb,
        ...personOf(context),
        reason: readReason(context),
        notSent: context.options['not-sent'] === true,
      }
      const outcome = await settleWithdrawal(context.runtime.database, command)
      const { withdrawal } = orRefuse(outcome, ({ reason, payableAfter }) => {
        if (verb === 'pay' && reason === 'frozen') return FROZEN_PAY
        return REFUSALS[reason] + (reason === 'waits' ? ` until ${payableAfter}` : '')
      })
      const { id, status, amount } = withdrawal
      return { json: { id, status, amount: wonToJson(amount) }, text: `${id} (${formatWon(amount)}) ${done}` }
    },
  }
}

export const withdrawalApprove = act('approve', 'is approved: another person pays it', 'approve a withdrawal')
export const withdrawalPay = act(
  'pay',
  'is paid',
  'record that an approved withdrawal was paid, by another person',
)
export const withdrawalRefuse = act('refuse', 'is refused: the won went back', 'refuse a withdrawal')
