import type { Database } from '#base/db.ts'
import type { Vault, VaultKeeper } from '#base/vault.ts'
import { renderAlimtalk, renderText } from '#modules/deliveries/messages/render.ts'
import { senderNameFrom } from '#modules/deliveries/messages/sender-name.ts'
import type { MessageFacts, MessageLanguage } from '#modules/deliveries/messages/types.ts'
import type { Channel, Purpose, Status } from '#modules/deliveries/types.ts'

export const INBOX_MOST = 100

export interface InboxMessage {
  channel: Channel
  // E.164.
  to: string
  giftId: string
  sentAt: Temporal.Instant
  status: Status
  language: MessageLanguage
  // Of a text message.
  subject: string | null
  body: string
}

export type ReadInbox = (query: { to: string | undefined }) => Promise<InboxMessage[]>

interface InboxDeps {
  database: Pick<Database, 'read'>
  keys: VaultKeeper
  registerUrl: string
  contact: string
}

const COLUMNS = `d.channel, d.purpose, d.status, d.sent_at, c.id as card_id, c.amount, c.expires_on,
  c.recipient, c.pin, p.name as partner_name, p.sender_name, p.message_language,
  r.cancel_days, r.refund_years, r.small_up_to, r.small_percent, r.large_percent, r.points_percent`
const JOINED = `join gift_card c on c.id = d.card_id join partner p on p.id = c.partner_id
  cross join lateral refund_policy_of(c.issued_on) r`
const NEWEST = `order by d.sent_at desc, d.id desc limit ${INBOX_MOST}`

// Of many messages the few are picked before their cards are looked at.
const ALL = {
  name: 'inbox',
  text: `select ${COLUMNS} from (select * from delivery d where d.attempt > 0 ${NEWEST}) d ${JOINED} ${NEWEST}`,
}
const OF_RECIPIENT = {
  name: 'inbox_of_recipient',
  text: `select ${COLUMNS} from delivery d ${JOINED}
          where c.recipient_index = any($1::bytea[]) and d.attempt > 0 ${NEWEST}`,
}

interface InboxRow {
  channel: Channel
  purpose: Purpose
  status: Status
  sent_at: Temporal.Instant
  card_id: string
  amount: bigint
  expires_on: string
  recipient: Buffer
  pin: Buffer | null
  partner_name: string
  sender_name: string | null
  message_language: MessageLanguage
  cancel_days: number
  refund_years: number
  small_up_to: bigint
  small_percent: number
  large_percent: number
  points_percent: number
}

// The messages that went out, newest first, as they read today: nothing of them is kept, so a PIN that has been
// erased since is not in them either.
export function createReadInbox(deps: InboxDeps): ReadInbox {
  return async ({ to }) => {
    // Which keys people are found by is asked anew: a read is not told, as a write is, that they have changed.
    const vault = await deps.keys.refresh()
    const rows =
      to === undefined
        ? await deps.database.read<InboxRow>(ALL, [])
        : await deps.database.read<InboxRow>(OF_RECIPIENT, [indexesOf(vault, to)])
    return rows.map((row) => toMessage(deps, vault, row))
  }
}

// While keys rotate, a card is under the one or the other.
function indexesOf(vault: Vault, to: string): Buffer[] {
  const { current, next } = vault.indexes('phone', to)
  return next ? [current, next] : [current]
}

function factsOf({ registerUrl, contact }: InboxDeps, vault: Vault, row: InboxRow): MessageFacts {
  const language = row.message_language
  return {
    // One that is sent again says what the first one said.
    purpose: row.purpose === 'reminder' ? 'reminder' : 'gift',
    language,
    senderName: row.sender_name ?? senderNameFrom(row.partner_name, language),
    pin: row.pin && vault.open(placeOf(row, 'pin'), row.pin),
    amount: row.amount,
    expiresOn: row.expires_on,
    registerUrl,
    contact,
    policy: {
      cancelDays: row.cancel_days,
      refundYears: row.refund_years,
      smallUpTo: row.small_up_to,
      smallPercent: row.small_percent,
      largePercent: row.large_percent,
      pointsPercent: row.points_percent,
    },
  }
}

function placeOf(row: InboxRow, column: string) {
  return { table: 'gift_card', column, row: row.card_id }
}

function toMessage(deps: InboxDeps, vault: Vault, row: InboxRow): InboxMessage {
  const facts = factsOf(deps, vault, row)
  const { subject, text } =
    row.channel === 'text' ? renderText(facts) : { subject: null, ...renderAlimtalk(facts) }
  return {
    channel: row.channel,
    to: vault.open(placeOf(row, 'recipient'), row.recipient),
    giftId: row.card_id,
    sentAt: row.sent_at,
    status: row.status,
    language: facts.language,
    subject,
    body: text,
  }
}
