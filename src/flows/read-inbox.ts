import type { Database } from '#base/db.ts'
import type { Vault, VaultKeeper } from '#base/vault.ts'
import {
  factsOf,
  type Imprint,
  LETTER_COLUMNS,
  type LetterRow,
  openRecipient,
  toLetter,
} from '#modules/deliveries/letters.ts'
import { renderAlimtalk, renderText } from '#modules/deliveries/messages/render.ts'
import type { MessageLanguage } from '#modules/deliveries/messages/types.ts'
import type { Channel, Status } from '#modules/deliveries/types.ts'
import { listRefundPolicies, policyOf } from '#modules/gift-cards/refund-policy.ts'

export const INBOX_MOST = 100

export interface InboxMessage {
  channel: Channel
  // E.164.
  to: string
  giftId: string
  sentAt: Temporal.Instant
  status: Status
  reason: string | null
  language: MessageLanguage
  // Of a text message.
  subject: string | null
  body: string
}

export type ReadInbox = (query: { to: string | undefined }) => Promise<InboxMessage[]>

interface InboxDeps {
  database: Pick<Database, 'read'>
  keys: VaultKeeper
  imprint: Imprint
}

const COLUMNS = `d.channel, d.status, d.reason, d.sent_at, ${LETTER_COLUMNS}`
const JOINED = 'join gift_card c on c.id = d.card_id join partner p on p.id = c.partner_id'

// Of many messages the few are picked before their cards are looked at.
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

interface InboxRow extends LetterRow {
  channel: Channel
  status: Status
  reason: string | null
  sent_at: Temporal.Instant
}

// The messages that went out, newest first, as they read today: nothing of them is kept, so a PIN that has been
// erased since is not in them either.
export function createReadInbox({ database, keys, imprint }: InboxDeps): ReadInbox {
  return async ({ to }) => {
    // Which keys people are found by is asked anew: a read is not told, as a write is, that they have changed.
    const vault = await keys.refresh()
    const policies = await listRefundPolicies(database)
    const rows =
      to === undefined
        ? await database.read<InboxRow & Record<string, unknown>>(ALL, [])
        : await database.read<InboxRow & Record<string, unknown>>(OF_RECIPIENT, [indexesOf(vault, to)])
    return rows.map((row) => {
      const letter = toLetter(row)
      const facts = factsOf(vault, letter, policyOf(policies, letter.issuedOn), imprint)
      const { subject, text } =
        row.channel === 'text' ? renderText(facts) : { subject: null, ...renderAlimtalk(facts) }
      return {
        channel: row.channel,
        to: openRecipient(vault, letter.cardId, letter.recipient),
        giftId: letter.cardId,
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

// While keys rotate, a card is under the one or the other.
function indexesOf(vault: Vault, to: string): Buffer[] {
  const { current, next } = vault.indexes('phone', to)
  return next ? [current, next] : [current]
}
