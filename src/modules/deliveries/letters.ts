import type { Vault } from '#base/vault.ts'
import { checkAlimtalk, checkText, type Unsendable } from '#modules/deliveries/messages/check.ts'
import { renderAlimtalk, renderText } from '#modules/deliveries/messages/render.ts'
import { senderNameFrom } from '#modules/deliveries/messages/sender-name.ts'
import { templateOf } from '#modules/deliveries/messages/templates.ts'
import type { MessageFacts, MessagePolicy } from '#modules/deliveries/messages/types.ts'
import type { Letter } from './sending.ts'
import type { TemplateIds } from './template-ids.ts'
import type { Channel } from './types.ts'

// What every message says besides its card.
export interface Imprint {
  registerUrl: string
  contact: string
}

type Facing = Pick<
  Letter,
  'purpose' | 'cardId' | 'partnerName' | 'senderName' | 'language' | 'amount' | 'expiresOn' | 'pin'
>

export function factsOf(vault: Vault, letter: Facing, policy: MessagePolicy, imprint: Imprint): MessageFacts {
  const { cardId, language, amount, expiresOn } = letter
  return {
    purpose: letter.purpose === 'reminder' ? 'reminder' : 'gift',
    language,
    senderName: letter.senderName ?? senderNameFrom(letter.partnerName, language),
    pin: letter.pin && vault.open({ table: 'gift_card', column: 'pin', row: cardId }, letter.pin),
    amount,
    expiresOn,
    ...imprint,
    policy,
  }
}

export function openRecipient(vault: Vault, cardId: string, sealed: Buffer): string {
  return vault.open({ table: 'gift_card', column: 'recipient', row: cardId }, sealed)
}

type Content =
  | { channel: 'alimtalk'; templateIds: TemplateIds; variables: Record<string, string>; text: string }
  | { channel: 'text'; subject: string; text: string }

// What goes out, or why it cannot: our own mistake, found before a provider finds it.
export function composeContent(
  channel: Channel,
  facts: MessageFacts,
  templateIds: TemplateIds,
): Content | Unsendable {
  if (channel === 'text') {
    const text = renderText(facts)
    return checkText(text) ?? { channel, ...text }
  }
  const message = renderAlimtalk(facts)
  const wrong = checkAlimtalk(templateOf(facts.purpose, facts.language), message)
  return wrong ?? { channel, ...message, templateIds }
}
