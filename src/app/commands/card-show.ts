import { type Command, type CommandContext, readReason, table } from '#app/command.ts'
import { changeLines, changesJson } from '#app/commands/changes.ts'
import { typedOption, typedValue } from '#app/commands/typed-value.ts'
import { Refused } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import type { Vault } from '#base/crypto/vault.ts'
import { formatWon, wonToJson } from '#base/money.ts'
import { findCardOfPin, findCardsOfPhone, findRedeemers } from '#flows/gift-cards/find-card.ts'
import { revealCancelReason } from '#flows/gift-cards/reveal-cancel-reason.ts'
import type { MemberLine } from '#flows/members/describe-members.ts'
import { listAuditEntries } from '#modules/audit/store.ts'
import { listDeliveries } from '#modules/deliveries/timeline.ts'
import { maskMobile, normalizeMobile } from '#modules/gift-cards/phone.ts'
import { parsePin } from '#modules/gift-cards/pin.ts'
import { parseCardIdentifier } from '#modules/gift-cards/rules.ts'
import { findCard } from '#modules/gift-cards/store.ts'
import type { Card } from '#modules/gift-cards/types.ts'
import { listCardTransfers } from '#modules/ledger/store.ts'
import { listPartners } from '#modules/partners/store.ts'
import { findExtension, findRefundOfCard } from '#modules/refunds/store.ts'

const NO_CARD = 'there is no such card'
const NO_CARD_OF_PIN =
  'there is no card with that PIN; one that was used is found by its PIN for 30 days, and then by number or --phone'

// Who redeemed it: masked, and the ids that `member show` takes.
function redeemerJson(line: MemberLine | undefined) {
  return line ? { memberId: line.memberId, loginId: line.loginId, name: line.name } : null
}

function toJson(vault: Vault, card: Card, redeemer: MemberLine | undefined) {
  return {
    giftId: card.id,
    txId: card.txId,
    number: Number(card.number),
    amount: wonToJson(card.amount),
    status: card.status,
    // The whole number is never shown. `card find --phone` finds cards by it.
    recipient: maskMobile(
      vault.open({ table: 'gift_card', column: 'recipient', row: card.id }, card.recipient),
    ),
    issuedAt: card.issuedAt.toString(),
    expires: card.expiresOn,
    usedAt: card.usedAt?.toString() ?? null,
    usedBy: redeemerJson(redeemer),
    voidedAt: card.voidedAt?.toString() ?? null,
  }
}

export const cardShow: Command = {
  usage:
    'card show ID | --pin PIN [--reveal --reason TEXT]\n' +
    'ID is a giftId, a txId, a number or a PIN. `--pin -` and `-` read a PIN from standard input, so that other accounts of the\n' +
    'machine do not see it and the shell does not keep it. A search by PIN goes into the audit log. --reveal shows why a partner\n' +
    'cancelled the card.',
  summary: 'show a card: status, messages, redemption, movements',
  positionals: ['id?'],
  options: { pin: { type: 'string' }, reveal: { type: 'boolean' }, reason: { type: 'string' } },
  async run(context) {
    const { runtime, options, actor } = context
    const { db } = runtime.database
    const card = await namedCard(context)
    const reveal = options.reveal && { cardId: card.id, reason: readReason({ options }), actor }
    const vault = runtime.keys.vault()
    // The reason may name people, so it is sealed, and each look at it is an audit entry.
    const told = reveal ? await revealCancelReason(runtime.database, vault, reveal) : undefined
    const transfers = (await listCardTransfers(db, card.id)).map((transfer) => ({
      kind: transfer.kind,
      amount: wonToJson(transfer.amount),
      at: transfer.at.toString(),
      groupId: transfer.group_id,
    }))
    const changes = changesJson(await listAuditEntries(db, vault, card.id))
    const messages = (await listDeliveries(runtime.database, card.id)).map(({ events, ...message }) => ({
      ...message,
      createdAt: message.createdAt.toString(),
      sentAt: message.sentAt?.toString() ?? null,
      settledAt: message.settledAt?.toString() ?? null,
      events: events.map((event) => ({ ...event, at: event.at.toString() })),
    }))
    const partner = (await listPartners(db)).find(({ id }) => id === card.partnerId)?.code ?? null
    const redeemer = (await findRedeemers(runtime, [card])).get(card.id)
    const ended = {
      extendedFrom: (await findExtension(db, card.id))?.fromDay ?? null,
      refundedAt: (await findRefundOfCard(db, card.id))?.at.toString() ?? null,
    }
    const revealed = reveal ? { cancelReason: told ?? null } : {}
    const shown = {
      partner,
      ...toJson(vault, card, redeemer),
      ...ended,
      ...revealed,
      transfers,
      messages,
      changes,
    }
    return { json: shown, text: toText(shown) }
  },
}

// Identifiers come first: a number of sixteen digits may happen to have the form of a PIN.
async function namedCard(context: CommandContext): Promise<Card> {
  const { runtime, args, options, actor } = context
  if ((args.id === undefined) === (options.pin === undefined))
    throw new UsageError('a card is named by its giftId, its txId, its number or its PIN')
  const typed = args.id === undefined ? (await typedOption(options, 'pin'))! : await typedValue(args.id)
  const identifier = args.id === undefined ? undefined : parseCardIdentifier(typed)
  const card = identifier && (await findCard(runtime.database.db, identifier))
  if (card) return card
  const pin = parsePin(typed)
  if (!pin && identifier) throw new Refused(NO_CARD)
  if (!pin)
    throw new UsageError('a card is named by its giftId, its txId or its number, or by a PIN without a typo')
  const found = await findCardOfPin(runtime, { pin, actor })
  if (!found) throw new Refused(identifier ? NO_CARD : NO_CARD_OF_PIN)
  return found
}

type Shown = ReturnType<typeof toJson> & {
  transfers: readonly { at: string; kind: string; amount: number }[]
  changes: ReturnType<typeof changesJson>
  messages: readonly {
    channel: string
    purpose: string
    events: readonly { at: string; status: string; attempt: number; reason: string | null }[]
  }[]
}

function toText(shown: Shown): string {
  const { transfers, messages, changes, usedBy, ...fields } = shown
  const lines = Object.entries({ ...fields, usedBy: redeemerText(usedBy) }).map(
    ([name, value]) =>
      `${name.padEnd(10)} ${name === 'amount' ? formatWon(BigInt(shown.amount)) : (value ?? '–')}`,
  )
  const moves = transfers.map((move) => `  ${move.at}  ${move.kind}  ${formatWon(BigInt(move.amount))}`)
  const acts = changeLines(changes)
  const sends = messages.flatMap(({ channel, purpose, events }) =>
    events.map(
      ({ at, status, attempt, reason }) =>
        `  ${at}  ${channel} ${purpose}  ${status}${attempt > 0 ? `, attempt ${attempt}` : ''}${reason ? `: ${reason}` : ''}`,
    ),
  )
  return [
    ...lines,
    'movements',
    ...moves,
    'messages',
    ...sends,
    ...(acts.length > 0 ? ['changes', ...acts] : []),
  ].join('\n')
}

function redeemerText(usedBy: ReturnType<typeof redeemerJson>): string {
  return usedBy ? `${usedBy.name ?? '–'}  ${usedBy.loginId ?? '–'}  ${usedBy.memberId}` : '–'
}

export const cardFind: Command = {
  usage:
    'card find --phone NUMBER\n' +
    'The number that the cards were sent to. `-` reads it from standard input, where no other account of the machine sees it. The\n' +
    'search goes into the audit log, without the number.',
  summary: 'list the newest cards that were sent to a phone number',
  positionals: [],
  options: { phone: { type: 'string' } },
  async run({ runtime, options, actor }) {
    const typed = await typedOption(options, 'phone')
    const e164 = typed === undefined ? undefined : normalizeMobile(typed)
    if (!e164) throw new UsageError('--phone takes a Korean mobile number')
    const cards = await findCardsOfPhone(runtime, { e164, actor })
    const partners = new Map((await listPartners(runtime.database.db)).map(({ id, code }) => [id, code]))
    // All at once: a look-up for each card would be a query a row.
    const redeemers = await findRedeemers(runtime, cards)
    const json = cards.map((card) => ({
      partner: partners.get(card.partnerId) ?? null,
      ...toJson(runtime.keys.vault(), card, redeemers.get(card.id)),
    }))
    const rows = json.map((card) => [
      card.giftId,
      card.status,
      formatWon(BigInt(card.amount)),
      card.partner ?? '–',
      card.issuedAt,
      card.expires,
      redeemerText(card.usedBy),
    ])
    const header = ['giftId', 'status', 'amount', 'partner', 'issued', 'expires', 'redeemed by']
    return { json, text: rows.length > 0 ? table(header, rows) : 'there are none' }
  },
}
