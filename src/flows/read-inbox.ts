import type { Database } from '#base/db.ts'
import type { Vault, VaultKeeper } from '#base/vault.ts'
import { renderAlimtalk, renderText } from '#modules/deliveries/messages/render.ts'
import { senderNameFrom } from '#modules/deliveries/messages/sender-name.ts'
import type { MessageFacts, MessageLanguage, MessagePolicy } from '#modules/deliveries/messages/types.ts'
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

export interface InboxDeps {
  database: Pick<Database, 'read'>
  keys: VaultKeeper
  registerUrl: string
  contact: string
  policy: MessagePolicy
}

const COLUMNS = `d.channel, d.purpose, d.status, d.sent_at, c.id as card_id, c.amount, c.expires_on,
  c.recipient, c.pin, p.name as partner_name, p.sender_name, p.message_language`
const NEWEST = `d.attempt > 0 and d.sent_at is not null order by d.sent_at desc, d.id desc limit ${INBOX_MOST}`

const ALL = {
  name: 'inbox',
  text: `select ${COLUMNS} from delivery d
    join gift_card c on c.id = d.card_id join partner p on p.id = c.partner_id
   where ${NEWEST}`,
}
const OF_RECIPIENT = {
  name: 'inbox_of_recipient',
  text: `select ${COLUMNS} from gift_card c
    join delivery d on d.card_id = c.id join partner p on p.id = c.partner_id
   where c.recipient_index = any($1::bytea[]) and ${NEWEST}`,
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

function toMessage(deps: InboxDeps, vault: Vault, row: InboxRow): InboxMessage {
  const place = (column: string) => ({ table: 'gift_card', column, row: row.card_id })
  const language = row.message_language
  const facts: MessageFacts = {
    // One that is sent again says what the first one said.
    purpose: row.purpose === 'reminder' ? 'reminder' : 'gift',
    language,
    senderName: row.sender_name ?? senderNameFrom(row.partner_name, language),
    pin: row.pin && vault.open(place('pin'), row.pin),
    amount: row.amount,
    expiresOn: row.expires_on,
    registerUrl: deps.registerUrl,
    contact: deps.contact,
    policy: deps.policy,
  }
  const { subject, text } =
    row.channel === 'text' ? renderText(facts) : { subject: null, ...renderAlimtalk(facts) }
  return {
    channel: row.channel,
    to: vault.open(place('recipient'), row.recipient),
    giftId: row.card_id,
    sentAt: row.sent_at,
    status: row.status,
    language,
    subject,
    body: text,
  }
}
