import { type Command, type CommandContext, integer, readReason, table, text, won } from '#app/command.ts'
import { askerOf, waitingText } from '#app/commands/approval.ts'
import { readIdentifier } from '#app/commands/card.ts'
import { policyWords, refundWords } from '#app/commands/refund-words.ts'
import { orRefuse } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { isUuid } from '#base/ids.ts'
import { formatWon, wonToJson } from '#base/money.ts'
import { parseDate } from '#base/time/seoul-time.ts'
import { type PolicyChange, requestPolicy } from '#flows/refunds/change-policy.ts'
import { quoteRefund, requestRefund } from '#flows/refunds/refund-card.ts'
import { listRefundPolicies } from '#modules/refunds/policy.ts'
import { PAYOUTS, type RefundPolicy } from '#modules/refunds/types.ts'

export const refundQuote: Command = {
  usage:
    'refund quote CARD --to points|money --member ID\n' +
    'Points are added to the member’s points; money to the deposit, from which a withdrawal pays out. ID is a login id, or the id\n' +
    'of the member or the account. The quote holds for ten minutes: `refund do` takes it.',
  summary: 'work out what an expired card still gives, line by line',
  positionals: ['card'],
  options: { to: { type: 'string' }, member: { type: 'string' } },
  async run({ runtime, args, options }) {
    const payout = PAYOUTS.find((one) => one === options.to)
    if (!payout) throw new UsageError('--to is points or money')
    const member = text(options, 'member')
    if (member === undefined) throw new UsageError('--member says who gets it')
    const command = { card: readIdentifier(args.card!), member, payout }
    const { quote, policy, until } = orRefuse(await quoteRefund(runtime, command), refundWords)
    const { id, face, percent, deduction, total, expiresAt } = quote
    return {
      json: {
        quote: id,
        card: quote.cardId,
        member: quote.holderId,
        to: payout,
        face: wonToJson(face),
        percent,
        deduction: wonToJson(deduction),
        total: wonToJson(total),
        policy: policy.version,
        refundableUntil: until,
        expiresAt: expiresAt.toString(),
      },
      text: [
        `face value   ${formatWon(face)}`,
        `rate         ${percent}% as ${payout}`,
        `deduction    ${formatWon(deduction)} (rounded down)`,
        `refund       ${formatWon(total)}`,
        `policy       ${policy.version}; refundable until ${until}`,
        `holds until  ${expiresAt}: ingot refund do ${id}`,
      ].join('\n'),
    }
  },
}

export const refundDo: Command = {
  usage:
    'refund do QUOTE --reason TEXT [--as NAME]\n' +
    'A second person approves it (`approvals approve`); in a sandbox --as NAME does so in the same call. The figures of the quote\n' +
    'stand while the request waits.',
  summary: 'ask to refund an expired card as quoted, which a second person approves',
  positionals: ['quote'],
  options: { reason: { type: 'string' }, as: { type: 'string' } },
  async run(context) {
    const { runtime, args } = context
    if (!isUuid(args.quote!)) throw new UsageError('a quote is named by its id')
    const { asker, approve } = askerOf(context, ['refund'])
    const command = { quoteId: args.quote!, reason: readReason(context), ...asker }
    const ask = async () => orRefuse(await requestRefund(runtime.database, command), refundWords)
    const asked = await ask()
    if (asked.kind === 'waiting' && !(await approve(asked.request))) {
      return {
        json: { status: 'waiting', request: asked.request.id, card: asked.request.subject },
        text: waitingText('approvals', asked.request),
      }
    }
    // Asked again, it answers with the refund that the approval made.
    const done = asked.kind === 'done' ? asked : await ask()
    if (done.kind !== 'done') throw new Error('an approved refund is there')
    const { refund } = done
    return {
      json: {
        status: 'refunded',
        refund: refund.id,
        card: refund.cardId,
        member: refund.holderId,
        to: refund.payout,
        total: wonToJson(refund.total),
        at: refund.at.toString(),
      },
      text: `${refund.cardId}: ${formatWon(refund.total)} refunded as ${refund.payout}`,
    }
  },
}

function policyJson(policy: RefundPolicy) {
  return { ...policy, smallUpTo: wonToJson(policy.smallUpTo) }
}

export const refundPolicies: Command = {
  usage: 'refund policies',
  summary: 'list the refund policies by version, newest first',
  positionals: [],
  options: {},
  async run({ runtime }) {
    const policies = await listRefundPolicies(runtime.database)
    const rows = policies.map((one) => [
      one.version,
      one.effectiveFrom,
      `${one.cancelDays} d`,
      `${one.refundYears} y`,
      `${one.smallPercent}% up to ${formatWon(one.smallUpTo)}, ${one.largePercent}% above`,
      `${one.pointsPercent}%`,
      `${one.extensionMonths} months`,
      one.noticeDays.join(' '),
    ])
    const header = ['version', 'bought from', 'cancel', 'refund', 'money', 'points', 'extension', 'reminders']
    return { json: policies.map(policyJson), text: table(header, rows) }
  },
}

export const refundAddPolicy: Command = {
  usage:
    'refund add-policy VERSION --from DAY [--until DAY] [--cancel-days N] [--refund-years N] [--small-up-to WON]\n' +
    '  [--small-percent N] [--large-percent N] [--points-percent N] [--extension-months N] [--notice-days N,N,N] --reason TEXT [--as NAME]\n' +
    'For cards that are bought from DAY on, until the next version begins. What is not given stays as in the version before. A second\n' +
    'person approves it; in a sandbox --as NAME does so in the same call.',
  summary: 'ask for a new version of the refund policy, which a second person approves',
  positionals: ['version'],
  options: {
    from: { type: 'string' },
    until: { type: 'string' },
    'cancel-days': { type: 'string' },
    'refund-years': { type: 'string' },
    'small-up-to': { type: 'string' },
    'small-percent': { type: 'string' },
    'large-percent': { type: 'string' },
    'points-percent': { type: 'string' },
    'extension-months': { type: 'string' },
    'notice-days': { type: 'string' },
    reason: { type: 'string' },
    as: { type: 'string' },
  },
  async run(context) {
    const { runtime, args, options } = context
    const effectiveFrom = day(options, 'from')
    if (effectiveFrom === undefined) throw new UsageError('--from says on which day it begins, as YYYY-MM-DD')
    const { asker, approve } = askerOf(context, ['refund_policy'])
    const command = {
      version: args.version!,
      effectiveFrom,
      until: day(options, 'until'),
      change: changeOf(options),
      reason: readReason(context),
      ...asker,
    }
    const { request } = orRefuse(await requestPolicy(runtime.database, command), policyWords)
    const isDone = await approve(request)
    return {
      json: { status: isDone ? 'executed' : 'waiting', request: request.id, ...request.payload },
      text: isDone
        ? `${args.version} is for cards bought from ${effectiveFrom} on`
        : waitingText('approvals', request),
    }
  },
}

function day(options: CommandContext['options'], name: string): string | undefined {
  const typed = text(options, name)
  const date = typed === undefined ? undefined : parseDate(typed)
  if (typed !== undefined && !date) throw new UsageError(`--${name} takes a day, as YYYY-MM-DD`)
  return date?.toString()
}

function changeOf(options: CommandContext['options']): PolicyChange {
  const notices = text(options, 'notice-days')
  if (notices !== undefined && !/^\d{1,3}(,\d{1,3})*$/.test(notices))
    throw new UsageError('--notice-days takes days before expiry, as 30,14,7,1')
  const given = {
    cancelDays: integer(options, 'cancel-days'),
    refundYears: integer(options, 'refund-years'),
    smallUpTo: won(options, 'small-up-to'),
    smallPercent: integer(options, 'small-percent'),
    largePercent: integer(options, 'large-percent'),
    pointsPercent: integer(options, 'points-percent'),
    extensionMonths: integer(options, 'extension-months'),
    noticeDays: notices?.split(',').map(Number),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as PolicyChange
}
