import type { Secret } from '#base/crypto/secret.ts'
import type { Vault } from '#base/crypto/vault.ts'
import { checkAlimtalk, checkText, type Unsendable } from '#modules/deliveries/messages/check.ts'
import { renderAlimtalk, renderText } from '#modules/deliveries/messages/render.ts'
import { senderNameFrom } from '#modules/deliveries/messages/sender-name.ts'
import { templateOf } from '#modules/deliveries/messages/templates.ts'
import type {
  MessageFacts,
  MessageLanguage,
  MessagePolicy,
  MessagePurpose,
} from '#modules/deliveries/messages/types.ts'
import type { Channel, Purpose } from './types.ts'

// The stored parts of a message.
export interface MessageContent {
  purpose: Purpose
  ordinal: number
  cardId: string
  number: bigint
  partnerId: number
  partnerName: string
  senderName: string | null
  language: MessageLanguage
  amount: bigint
  issuedOn: string
  issuedAt: Temporal.Instant
  expiresOn: string
  recipient: Buffer
  pin: Buffer | null
  // The text version of its attempts so far; null if there were none.
  begunWith: number | null
}

// Columns of a delivery `d`, its card `c` and the partner `p` that bought it.
export const MESSAGE_COLUMNS = `d.purpose, d.ordinal, c.id as card_id, c.number, c.partner_id, p.name, p.sender_name,
  p.message_language, c.amount, c.issued_on, c.issued_at, c.expires_on, c.recipient, c.pin, d.attempt, d.text_version`

export interface MessageRow {
  purpose: Purpose
  ordinal: number
  card_id: string
  number: bigint
  partner_id: number
  name: string
  sender_name: string | null
  message_language: MessageLanguage
  amount: bigint
  issued_on: string
  issued_at: Temporal.Instant
  expires_on: string
  recipient: Buffer
  pin: Buffer | null
  attempt: number
  text_version: number | null
}

// A release that knew only one text wrote down no version.
const UNVERSIONED = 1

export function toMessageContent(row: MessageRow): MessageContent {
  return {
    purpose: row.purpose,
    ordinal: row.ordinal,
    cardId: row.card_id,
    number: row.number,
    partnerId: row.partner_id,
    partnerName: row.name,
    senderName: row.sender_name,
    language: row.message_language,
    amount: row.amount,
    issuedOn: row.issued_on,
    issuedAt: row.issued_at,
    expiresOn: row.expires_on,
    recipient: row.recipient,
    pin: row.pin,
    begunWith: row.text_version ?? (row.attempt > 0 ? UNVERSIONED : null),
  }
}

// One that is sent again says what the first one said.
export function messagePurposeOf(purpose: Purpose): MessagePurpose {
  return purpose === 'resend' ? 'gift' : purpose
}

// What every message says besides its card.
export interface Imprint {
  registerUrl: string
  contact: string
}

interface Surroundings {
  policy: MessagePolicy
  imprint: Imprint
}

export function factsOf(
  vault: Vault,
  message: MessageContent,
  version: number,
  { linkCode, ...surroundings }: Surroundings & { linkCode: Secret<string> },
): MessageFacts {
  const pin =
    message.pin && vault.open({ table: 'gift_card', column: 'pin', row: message.cardId }, message.pin)
  return factsWith(message, version, surroundings, { pin, code: linkCode.reveal() })
}

const MASK = '*'.repeat(16)

// For an operator who asks what was said: with neither the PIN nor the code of the link.
export function maskedFactsOf(
  message: MessageContent,
  version: number,
  surroundings: Surroundings,
): MessageFacts {
  return factsWith(message, version, surroundings, { pin: message.pin && MASK, code: MASK })
}

function factsWith(
  message: MessageContent,
  version: number,
  { policy, imprint }: Surroundings,
  { pin, code }: { pin: string | null; code: string },
): MessageFacts {
  const { language, amount, issuedOn, expiresOn } = message
  return {
    purpose: messagePurposeOf(message.purpose),
    language,
    version,
    senderName: message.senderName ?? senderNameFrom(message.partnerName, language),
    pin,
    amount,
    issuedOn,
    expiresOn,
    ...imprint,
    // In the fragment, which no server and no log sees. A card that is over has no use for it.
    linkUrl: message.pin ? `${imprint.registerUrl}#${code}` : imprint.registerUrl,
    policy,
  }
}

export function openRecipient(vault: Vault, cardId: string, sealed: Buffer): string {
  return vault.open({ table: 'gift_card', column: 'recipient', row: cardId }, sealed)
}

type Content =
  | {
      channel: 'alimtalk'
      templateIds: Readonly<Record<string, string>>
      variables: Record<string, string>
      text: string
    }
  | { channel: 'text'; subject: string; text: string }

// What goes out, or why it cannot: our own mistake, found before a provider finds it.
export function composeContent(
  channel: Channel,
  facts: MessageFacts,
  // The provider's ids of the templates.
  templateIds: Readonly<Record<string, string>>,
): Content | Unsendable {
  if (channel === 'text') {
    const text = renderText(facts)
    return checkText(text) ?? { channel, ...text }
  }
  const message = renderAlimtalk(facts)
  const wrong = checkAlimtalk(templateOf(facts.purpose, facts.language, facts.version), message)
  return wrong ?? { channel, ...message, templateIds }
}
