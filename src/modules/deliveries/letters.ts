import type { Reader } from '#base/db.ts'
import type { Vault } from '#base/vault.ts'
import { checkAlimtalk, checkText, type Unsendable } from '#modules/deliveries/messages/check.ts'
import { renderAlimtalk, renderText } from '#modules/deliveries/messages/render.ts'
import { senderNameFrom } from '#modules/deliveries/messages/sender-name.ts'
import { templateOf } from '#modules/deliveries/messages/templates.ts'
import type { MessageFacts, MessagePolicy } from '#modules/deliveries/messages/types.ts'
import type { Letter } from './sending.ts'
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

export type TemplateIds = Readonly<Record<string, string>>
export type FindTemplateIds = (partnerId: number, purpose: string, language: string) => TemplateIds

const TEMPLATE_IDS = {
  name: 'message_template_ids',
  text: `select partner_id, provider, purpose, language, template_id from message_template
          where partner_id is null or partner_id = any($1::int[])
          order by partner_id nulls first`,
}

interface TemplateRow {
  partner_id: number | null
  provider: string
  purpose: string
  language: string
  template_id: string
}

// What each provider calls a partner's templates: its own where it has one, the common one otherwise.
export async function findTemplateIds(
  database: Reader,
  partnerIds: readonly number[],
): Promise<FindTemplateIds> {
  const rows = await database.read<TemplateRow & Record<string, unknown>>(TEMPLATE_IDS, [partnerIds])
  return (partnerId, purpose, language) =>
    Object.fromEntries(
      rows
        .filter((row) => row.purpose === purpose && row.language === language)
        .filter((row) => row.partner_id === null || row.partner_id === partnerId)
        .map((row) => [row.provider, row.template_id]),
    )
}
