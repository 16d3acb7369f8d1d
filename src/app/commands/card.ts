import { type Command, optionalReason, readReason } from '#app/command.ts'
import { orRefuse } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { formatWon, wonToJson } from '#base/money.ts'
import { createResendCard } from '#flows/gift-cards/resend-card.ts'
import { voidCard } from '#flows/gift-cards/void-card.ts'
import type { ResendRefusal } from '#modules/deliveries/types.ts'
import { parseCardIdentifier } from '#modules/gift-cards/rules.ts'
import type { CardIdentifier } from '#modules/gift-cards/types.ts'

function readIdentifier(typed: string): CardIdentifier {
  const identifier = parseCardIdentifier(typed)
  if (!identifier) throw new UsageError('a card is named by its giftId, its txId or its number')
  return identifier
}

export const cardVoid: Command = {
  usage: 'card void ID --reason TEXT',
  summary: 'cancel an unused card',
  positionals: ['id'],
  options: { reason: { type: 'string' } },
  async run({ runtime, args, options, actor }) {
    const command = { card: readIdentifier(args.id!), reason: readReason({ options }), actor }
    // One person is enough: a void only gives value back to the partner, and never creates any.
    const { card } = orRefuse(await voidCard(runtime.database, command), ({ reason }) =>
      reason === 'not_found' ? 'there is no such card' : `the card is ${reason} already`,
    )
    const { id, amount } = card
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
