import { type Command, type CommandContext, personOf, table, text } from '#app/command.ts'
import { decisionWords } from '#app/commands/approval-words.ts'
import { orRefuse } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { isUuid } from '#base/ids.ts'
import { formatWon } from '#base/money.ts'
import { type DecideCommand, decideChange } from '#flows/approvals/decide-change.ts'
import { listWaiting } from '#modules/approvals/store.ts'
import type { ChangeKind, ChangeRequest } from '#modules/approvals/types.ts'
import { gramsText } from '#modules/pricing/rules.ts'

type Group = 'price' | 'partner' | 'approvals'

// What the machine saw of the two stays out: it is for the comparison, for `approvals show` and for the audit log.
export function requestJson(request: ChangeRequest) {
  const {
    createdAt,
    expiresAt,
    decidedAt,
    isExpired: _,
    makerOrigin: _maker,
    checkerOrigin: _checker,
    ...rest
  } = request
  return {
    ...rest,
    createdAt: createdAt.toString(),
    expiresAt: expiresAt.toString(),
    decidedAt: decidedAt?.toString() ?? null,
  }
}

export function payloadText({ kind, payload }: Pick<ChangeRequest, 'kind' | 'payload'>): string {
  const { won, reference, prepay } = payload
  if (kind === 'card_void') return `the void of a card of ${formatWon(BigInt(payload.amount as string))}`
  if (kind === 'refund') return refundText(payload)
  if (kind === 'refund_policy') return policyText(payload)
  if (kind === 'bullion') {
    const grams = gramsText(BigInt(payload.units as string))
    return `${payload.side} ${grams} g of bullion for ${formatWon(BigInt(won!))}, reference ${reference}`
  }
  if (kind === 'commission_rate')
    return `a commission of ${(payload.bps as number) / 100}% of cards ${payload.base} from ${payload.effectiveFrom}`
  if (kind === 'safeguard')
    return `${formatWon(BigInt(won!))} safeguarded (${payload.method}) at the end of ${payload.asOf}, reference ${reference}`
  if (kind === 'adjustment') {
    const amount = BigInt(payload.amount as string)
    const name = payload.asset === 'KRW' ? 'deposit' : 'points'
    return amount < 0n
      ? `${formatWon(-amount)} taken from the ${name}`
      : `${formatWon(amount)} added to the ${name}`
  }
  const payment = () => `a payment of ${formatWon(BigInt(won!))}, reference ${reference}`
  if (kind === 'payment') return `${payment()}${prepay ? ', prepaid' : ''}`
  if (kind === 'payment_reversal') return `the reversal of ${payment()}`
  return Object.entries(payload)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}

function refundText({ face, total, payout, policy }: ChangeRequest['payload']): string {
  return `a refund of ${formatWon(BigInt(total as string))} as ${payout} for a card of ${formatWon(BigInt(face as string))} (${policy})`
}

// The words of `refund policies`.
function policyText(payload: ChangeRequest['payload']): string {
  const { effectiveFrom, until, cancelDays, refundYears, extensionMonths } = payload
  const small = `${payload.smallPercent}% up to ${formatWon(BigInt(payload.smallUpTo as string))}`
  return [
    `a refund policy for cards bought from ${effectiveFrom} ${until ? `to ${until}` : 'on'} (cancel ${cancelDays} d`,
    `refund ${refundYears} y`,
    `money ${small}, ${payload.largePercent}% above`,
    `points ${payload.pointsPercent}%`,
    `extension ${extensionMonths} months`,
    `reminders ${String(payload.noticeDays).replaceAll(',', ' ')})`,
  ].join('; ')
}

export function waitingText(group: Group, request: ChangeRequest): string {
  const { id, subject, expiresAt } = request
  return (
    `${subject}: ${payloadText(request)} waits for a second person until ${expiresAt}: ` +
    `ingot ${group} approve ${id}`
  )
}

// Who asks for what takes two people. In a sandbox `--as NAME` is the second person, who approves it in the same call: what
// is returned does so. A live service refuses `--as` before anything is asked for.
export function askerOf(context: CommandContext, kinds: readonly ChangeKind[]) {
  const { runtime, options, actor, origin } = context
  const second = options.as === undefined ? undefined : personOf(context)
  return {
    asker: origin ? { actor, origin } : { actor },
    async approve({ id }: ChangeRequest): Promise<boolean> {
      if (!second) return false
      const command = { id, kinds, act: 'approve', ...second, note: '' } as const
      orRefuse(await decideChange(runtime.database, command), decisionWords)
      return true
    },
  }
}

// What waits for a second person, and that person's word. The same three for every kind of change, under the command that
// asks for it.
export function approvalCommands(group: Group, kinds: readonly ChangeKind[]) {
  const pending: Command = {
    usage: `${group} pending`,
    summary: 'list what waits for a second person, oldest first',
    positionals: [],
    options: {},
    async run({ runtime }) {
      const requests = await listWaiting(runtime.database.db, kinds)
      const rows = requests.map((one) => [
        one.id,
        one.subject,
        payloadText(one),
        one.maker,
        `${one.expiresAt}`,
        one.reason,
      ])
      const header = ['id', 'of', 'change', 'asked by', 'until', 'reason']
      return {
        json: requests.map(requestJson),
        text: rows.length > 0 ? table(header, rows) : 'nothing waits',
      }
    },
  }
  return {
    pending,
    approve: decide(group, kinds, 'approve', 'approve what another person asked for'),
    refuse: decide(group, kinds, 'refuse', 'refuse a request, or take your own back'),
  }
}

export function decide(
  group: Group,
  kinds: readonly ChangeKind[],
  act: DecideCommand['act'],
  summary: string,
): Command {
  return {
    usage: `${group} ${act} ID [--reason TEXT] [--as NAME]`,
    summary,
    positionals: ['id'],
    options: { reason: { type: 'string' }, as: { type: 'string' } },
    async run(context: CommandContext) {
      const { runtime, args, options } = context
      if (!isUuid(args.id!)) throw new UsageError('a request is named by its id')
      const note = text(options, 'reason') ?? ''
      if (note.length > 500) throw new UsageError('--reason has at most 500 characters')
      // Only kinds of this group: `partner approve` must not carry out a price whose id was copied by mistake.
      const command = { id: args.id!, kinds, act, ...personOf(context), note }
      const { request } = orRefuse(await decideChange(runtime.database, command), decisionWords)
      return {
        json: requestJson(request),
        text: `${request.subject}: ${payloadText(request)}: ${request.status}`,
      }
    },
  }
}
