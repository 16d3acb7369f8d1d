import { type Command, readReason, UsageError } from '#app/command.ts'
import { formatWon, wonToJson } from '#base/money.ts'
import type { Vault } from '#base/vault.ts'
import { Refused } from '#flows/refused.ts'
import { createResendCard } from '#flows/resend-card.ts'
import { revealCancelReason } from '#flows/reveal-cancel-reason.ts'
import { voidCard } from '#flows/void-card.ts'
import { listAuditEntries } from '#modules/audit/store.ts'
import { listDeliveries } from '#modules/deliveries/timeline.ts'
import type { ResendRefusal } from '#modules/deliveries/types.ts'
import { maskMobile } from '#modules/gift-cards/phone.ts'
import { parseCardIdentifier } from '#modules/gift-cards/rules.ts'
import { findCard } from '#modules/gift-cards/store.ts'
import type { Card, CardIdentifier } from '#modules/gift-cards/types.ts'
import { listCardTransfers } from '#modules/ledger/store.ts'
import { listPartners } from '#modules/partners/store.ts'

function readIdentifier(typed: string): CardIdentifier {
  const identifier = parseCardIdentifier(typed)
  if (!identifier) throw new UsageError('a card is named by its giftId, its txId or its number')
  return identifier
}

function toJson(vault: Vault, card: Card) {
  return {
    giftId: card.id,
    txId: card.txId,
    number: Number(card.number),
    amount: wonToJson(card.amount),
    status: card.status,
    recipient: maskMobile(
      vault.open({ table: 'gift_card', column: 'recipient', row: card.id }, card.recipient),
    ),
    issuedAt: card.issuedAt.toString(),
    expires: card.expiresOn,
    usedAt: card.usedAt?.toString() ?? null,
    voidedAt: card.voidedAt?.toString() ?? null,
  }
}

export const cardShow: Command = {
  usage: 'card show ID [--reveal --reason TEXT]',
  summary:
    "show a card and its movements, revealed with a partner's reason; ID is a giftId, a txId or a number",
  positionals: ['id'],
  options: { reveal: { type: 'boolean' }, reason: { type: 'string' } },
  async run({ runtime, args, options, actor }) {
    const { db } = runtime.database
    const card = await findCard(db, readIdentifier(args.id!))
    if (!card) throw new Refused('there is no such card')
    const reveal = options.reveal && { cardId: card.id, reason: readReason({ options }), actor }
    const vault = runtime.keys.vault()
    const told = reveal ? await revealCancelReason(runtime.database, vault, reveal) : undefined
    const transfers = (await listCardTransfers(db, card.id)).map((transfer) => ({
      kind: transfer.kind,
      amount: wonToJson(transfer.amount),
      at: transfer.at.toString(),
      groupId: transfer.group_id,
    }))
    const changes = (await listAuditEntries(db, card.id)).map((entry) => ({
      action: entry.action,
      at: entry.at.toString(),
      actor: entry.actor,
      details: entry.details,
    }))
    const messages = (await listDeliveries(runtime.database, card.id)).map(({ events, ...message }) => ({
      ...message,
      createdAt: message.createdAt.toString(),
      sentAt: message.sentAt?.toString() ?? null,
      settledAt: message.settledAt?.toString() ?? null,
      events: events.map((event) => ({ ...event, at: event.at.toString() })),
    }))
    const partner = (await listPartners(db)).find(({ id }) => id === card.partnerId)?.code ?? null
    const revealed = reveal ? { cancelReason: told ?? null } : {}
    const shown = { partner, ...toJson(vault, card), ...revealed, transfers, messages, changes }
    const lines = Object.entries(shown)
      .filter(([, value]) => !Array.isArray(value))
      .map(
        ([name, value]) =>
          `${name.padEnd(10)} ${name === 'amount' ? formatWon(card.amount) : (value ?? '–')}`,
      )
    const moves = transfers.map((move) => `  ${move.at}  ${move.kind}  ${formatWon(BigInt(move.amount))}`)
    const acts = changes.map(
      ({ at, action, actor, details }) => `  ${at}  ${action}  ${actor}  ${JSON.stringify(details)}`,
    )
    const sends = messages.flatMap(({ channel, purpose, events }) =>
      events.map(
        ({ at, status, attempt, reason }) =>
          `  ${at}  ${channel} ${purpose}  ${status}${attempt > 0 ? `, attempt ${attempt}` : ''}${reason ? `: ${reason}` : ''}`,
      ),
    )
    const text = [
      ...lines,
      'movements',
      ...moves,
      'messages',
      ...sends,
      ...(acts.length > 0 ? ['changes', ...acts] : []),
    ]
    return { json: shown, text: text.join('\n') }
  },
}

export const cardVoid: Command = {
  usage: 'card void ID --reason TEXT',
  summary: 'take an unused card back',
  positionals: ['id'],
  options: { reason: { type: 'string' } },
  async run({ runtime, args, options, actor }) {
    const command = { card: readIdentifier(args.id!), reason: readReason({ options }), actor }
    const outcome = await voidCard(runtime.database, command)
    if (outcome.kind === 'refused') {
      throw new Refused(
        outcome.reason === 'not_found' ? 'there is no such card' : `the card is ${outcome.reason} already`,
      )
    }
    const { id, amount } = outcome.card
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
  usage: 'card resend ID',
  summary: "send an unused card's messages again",
  positionals: ['id'],
  options: {},
  async run({ runtime, args, actor }) {
    const resend = createResendCard(runtime.database)
    const outcome = await resend({ partnerId: undefined, card: readIdentifier(args.id!), actor })
    if (outcome.kind === 'refused') throw new Refused(NOT_AGAIN[outcome.reason])
    const { card, channels } = outcome
    return {
      json: { giftId: card.id, channels },
      text: `${card.id} is sent again by ${channels.join(' and ')}`,
    }
  },
}
