import type { Vault, VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import {
  factsOf,
  type Imprint,
  MESSAGE_COLUMNS,
  type MessageRow,
  messagePurposeOf,
  openRecipient,
  toMessageContent,
} from '#modules/deliveries/message-content.ts'
import { renderAlimtalk, renderText } from '#modules/deliveries/messages/render.ts'
import { templateOf } from '#modules/deliveries/messages/templates.ts'
import type { MessageLanguage } from '#modules/deliveries/messages/types.ts'
import { listSentNotices, openNotice } from '#modules/deliveries/notices/store.ts'
import type { Channel, Status } from '#modules/deliveries/types.ts'
import { linkCodeOf } from '#modules/gift-cards/link-code.ts'
import { listRefundPolicies, policyOf } from '#modules/refunds/policy.ts'

export const INBOX_MOST = 100

// The cards' messages, or notices to members.
export type InboxKind = 'card' | 'notice'

export interface InboxMessage {
  channel: Channel
  // E.164.
  to: string
  // Null for a notice.
  giftId: string | null
  sentAt: Temporal.Instant
  status: Status
  reason: string | null
  language: MessageLanguage
  // The subject of a text message.
  subject: string | null
  body: string
}

export type ReadInbox = (query: { to: string | undefined; kind: InboxKind }) => Promise<InboxMessage[]>

interface InboxDeps {
  database: Pick<Database, 'read'>
  keys: VaultKeeper
  imprint: Imprint
}

const COLUMNS = `d.channel, d.status, d.reason, d.sent_at, ${MESSAGE_COLUMNS}`
const JOINED = 'join gift_card c on c.id = d.card_id join partner p on p.id = c.partner_id'

// Picks the few messages first, before it looks at their cards.
const ALL = {
  name: 'inbox',
  text: `select ${COLUMNS}
           from (select * from delivery where attempt > 0 order by id desc limit ${INBOX_MOST}) d ${JOINED}
          order by d.sent_at desc, d.id desc`,
}
const OF_RECIPIENT = {
  name: 'inbox_of_recipient',
  text: `select ${COLUMNS} from delivery d ${JOINED}
          where c.recipient_index = any($1::bytea[]) and d.attempt > 0
          order by d.sent_at desc, d.id desc limit ${INBOX_MOST}`,
}

interface InboxRow extends MessageRow {
  channel: Channel
  status: Status
  reason: string | null
  sent_at: Temporal.Instant
}

// The messages that went out, newest first, as they read today. Their texts are not kept, so an erased PIN is not in
// them either.
export function createReadInbox(deps: InboxDeps): ReadInbox {
  const { database, keys, imprint } = deps
  return async ({ to, kind }) => {
    if (kind === 'notice') return readNotices(deps, to)
    // Reads again which keys are in force: unlike a write, a read does not learn that they have changed.
    const vault = await keys.refresh()
    const policies = await listRefundPolicies(database)
    const rows =
      to === undefined
        ? await database.read<InboxRow & Record<string, unknown>>(ALL, [])
        : await database.read<InboxRow & Record<string, unknown>>(OF_RECIPIENT, [indexesOf(vault, to)])
    return rows.map((row) => {
      const message = toMessageContent(row)
      // With the version it went out with.
      const purpose = messagePurposeOf(message.purpose)
      const { version } = templateOf(purpose, message.language, message.begunWith)
      const facts = factsOf(vault, message, version, {
        policy: policyOf(policies, message.issuedOn),
        imprint,
        linkCode: linkCodeOf(vault, message.number),
      })
      const { subject, text } =
        row.channel === 'text' ? renderText(facts) : { subject: null, ...renderAlimtalk(facts) }
      return {
        channel: row.channel,
        to: openRecipient(vault, message.cardId, message.recipient),
        giftId: message.cardId,
        sentAt: row.sent_at,
        status: row.status,
        reason: row.reason,
        language: facts.language,
        subject,
        body: text,
      }
    })
  }
}

const LOOKED_THROUGH = 1_000 // notices have no index by number: only a sandbox looks for one

async function readNotices({ database, keys, imprint }: InboxDeps, to: string | undefined) {
  const vault = await keys.refresh()
  const { registerUrl: pagesUrl, contact } = imprint
  const sent = await listSentNotices(database, to === undefined ? INBOX_MOST : LOOKED_THROUGH)
  const messages = sent.flatMap((notice): InboxMessage[] => {
    const opened = openNotice(vault, notice, { pagesUrl, contact })
    if (!opened || (to !== undefined && opened.to !== to)) return []
    const { subject, text: body } = opened.text
    const { sentAt, status, reason, language } = notice
    return [{ channel: 'text', to: opened.to, giftId: null, sentAt, status, reason, language, subject, body }]
  })
  return messages.slice(0, INBOX_MOST)
}

// While keys rotate, a card is under the one or the other.
function indexesOf(vault: Vault, to: string): Buffer[] {
  const { current, next } = vault.indexes('phone', to)
  return next ? [current, next] : [current]
}
