import { type Command, optionalReason, readReason } from '#app/command.ts'
import { askerOf, waitingText } from '#app/commands/approval.ts'
import { orRefuse } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { formatWon, wonToJson } from '#base/money.ts'
import { createResendCard } from '#flows/gift-cards/resend-card.ts'
import { voidCard } from '#flows/gift-cards/void-card.ts'
import { extendCard } from '#flows/refunds/extend-card.ts'
import type { ResendRefusal } from '#modules/deliveries/types.ts'
import { parseCardIdentifier } from '#modules/gift-cards/rules.ts'
import type { CardIdentifier } from '#modules/gift-cards/types.ts'
import type { ExtendRefusal } from '#modules/refunds/types.ts'

export function readIdentifier(typed: string): CardIdentifier {
  const identifier = parseCardIdentifier(typed)
  if (!identifier) throw new UsageError('a card is named by its giftId, its txId or its number')
  return identifier
}

export const cardVoid: Command = {
  usage:
    'card void ID --reason TEXT [--as NAME]\n' +
    'From VOID_APPROVAL_FROM on, a second person approves it. In a sandbox --as NAME does so in the same call.',
  summary: 'cancel an unused card; a large one waits for a second person',
  positionals: ['id'],
  options: { reason: { type: 'string' }, as: { type: 'string' } },
  async run(context) {
    const { runtime, args, options } = context
    const { asker, approve } = askerOf(context, ['card_void'])
    const command = {
      card: readIdentifier(args.id!),
      reason: readReason({ options }),
      approvalFrom: runtime.config.approvals.voidFrom,
      ...asker,
    }
    const outcome = orRefuse(await voidCard(runtime.database, command), ({ reason }) =>
      reason === 'not_found' ? 'there is no such card' : `the card is ${reason} already`,
    )
    const { id, amount } = outcome.card
    if (outcome.kind === 'waiting' && !(await approve(outcome.request))) {
      const { request } = outcome
      return {
        json: { giftId: id, status: 'waiting', amount: wonToJson(amount), request: request.id },
        text: waitingText('approvals', request),
      }
    }
    return {
      json: { giftId: id, status: 'voided', amount: wonToJson(amount) },
      text: `${id} is voided: ${formatWon(amount)} went back to the partner`,
    }
  },
}

const NOT_AGAIN: Record<ResendRefusal, string> = {
  not_found: 'there is no such card',
  not_valid: 'the card can no longer be redeemed',
  on_its_way: 'its messages are still on their way',
  too_soon: 'its last message was sent less than a minute ago',
  too_often: 'it was sent again five times within a day',
}

export const cardResend: Command = {
  usage: 'card resend ID [--reason TEXT]',
  summary: "send an unused card's messages again",
  positionals: ['id'],
  options: { reason: { type: 'string' } },
  async run({ runtime, args, options, actor }) {
    // The flow that partners call, limits included: an operator's script cannot flood a recipient either.
    const resend = createResendCard(runtime.database)
    const reason = optionalReason({ options })
    const outcome = await resend({ partnerId: undefined, card: readIdentifier(args.id!), actor, reason })
    const { card, channels } = orRefuse(outcome, ({ reason }) => NOT_AGAIN[reason])
    return {
      json: { giftId: card.id, channels },
      text: `${card.id} is sent again by ${channels.join(' and ')}`,
    }
  },
}

const NOT_EXTENDED: Record<ExtendRefusal, string> = {
  absent: 'there is no such card',
  used: 'the card is used already',
  voided: 'the card is voided already',
  expired: 'the card has expired: `ingot refund quote` says what it still gives',
  extended: 'the card was extended before: a card is extended once',
  not_extendable: 'the refund policy of the card has no extension',
}

export const cardExtend: Command = {
  usage: 'card extend ID --reason TEXT',
  summary: 'extend an unused card once, before it expires, as its refund policy says',
  positionals: ['id'],
  options: { reason: { type: 'string' } },
  async run({ runtime, args, options, actor }) {
    const command = { card: readIdentifier(args.id!), reason: readReason({ options }), actor }
    const outcome = await extendCard(runtime.database, command)
    const { card, fromDay, toDay, again } = orRefuse(outcome, ({ reason }) => NOT_EXTENDED[reason])
    return {
      json: { giftId: card.id, from: fromDay, expires: toDay, again },
      text: `${card.id} ${again ? 'was extended before: it ' : ''}expires on ${toDay} instead of ${fromDay}`,
    }
  },
}
