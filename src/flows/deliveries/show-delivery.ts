import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import { auditEvents } from '#flows/kit/audit-events.ts'
import { deliveryEvents } from '#flows/kit/delivery-events.ts'
import { fewEvents, readTimeline, type TimelinePage } from '#flows/kit/timeline.ts'
import {
  type Imprint,
  maskedFactsOf,
  messagePurposeOf,
  openRecipient,
  toMessageContent,
} from '#modules/deliveries/message-content.ts'
import { renderAlimtalk, renderText } from '#modules/deliveries/messages/render.ts'
import { templateOf } from '#modules/deliveries/messages/templates.ts'
import { findContent, findShownDelivery, type ShownDelivery } from '#modules/deliveries/shown.ts'
import { maskMobile } from '#modules/gift-cards/phone.ts'
import { listRefundPolicies, policyOf } from '#modules/refunds/policy.ts'

const TIMELINE_PAGE = 200 // more than any message has: it is tried for a day

interface DeliveryPage {
  delivery: ShownDelivery
  partner: string
  partnerName: string
  // Masked.
  recipient: string
  language: 'ko' | 'en'
  // The version of the text it was sent in, or would be.
  version: number
  subject: string | null
  // As it was sent, but for the PIN and the link.
  text: string
  timeline: TimelinePage
}

interface ShowDeps {
  database: Database
  keys: VaultKeeper
  imprint: Imprint
}

// partnerId: of a partner's staff, for whom only messages about their own cards exist. Null: the operator. withWords: with
// what people typed into audit entries.
export type ShowDelivery = (question: {
  id: bigint
  partnerId: number | null
  withWords: boolean
}) => Promise<DeliveryPage | undefined>

// One message, its attempts, and what it said. The PIN is not opened.
export function createShowDelivery({ database, keys, imprint }: ShowDeps): ShowDelivery {
  return async ({ id, partnerId, withWords }) => {
    const row = await findContent(database, id)
    if (!row || (partnerId !== null && row.partner_id !== partnerId)) return undefined
    const delivery = (await findShownDelivery(database, id))!
    const message = toMessageContent(row)
    const { version } = templateOf(messagePurposeOf(message.purpose), message.language, message.begunWith)
    const policy = policyOf(await listRefundPolicies(database), message.issuedOn)
    const facts = maskedFactsOf(message, version, { policy, imprint })
    const words =
      delivery.channel === 'text' ? renderText(facts) : { subject: null, ...renderAlimtalk(facts) }
    const isShown = (actor: string) => partnerId === null || actor.startsWith(`partner:${row.partner} `)
    const sources = [
      fewEvents('state', deliveryEvents(delivery)),
      // A retry is an act on the card.
      auditEvents(database.db, withWords ? keys.vault() : undefined, message.cardId, {
        isShown,
        isWanted: ({ action, details }) => action === 'delivery.retry' && details.delivery === String(id),
      }),
    ]
    return {
      delivery,
      partner: row.partner,
      partnerName: row.name,
      recipient: maskMobile(openRecipient(keys.vault(), message.cardId, message.recipient)),
      language: message.language,
      version,
      subject: words.subject,
      text: words.text,
      timeline: await readTimeline(sources, {}, TIMELINE_PAGE),
    }
  }
}
