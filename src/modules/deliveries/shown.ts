import type { Reader } from '#base/db/db.ts'
import { MESSAGE_COLUMNS, type MessageRow } from './message-content.ts'
import type { Channel, Purpose, Status } from './types.ts'

interface ShownEvent {
  at: Temporal.Instant
  status: Status
  attempt: number
  provider: string | null
  reason: string | null
}

// A card's message as the operator sees it, with its id.
export interface ShownDelivery {
  id: bigint
  cardId: string
  channel: Channel
  purpose: Purpose
  ordinal: number
  status: Status
  attempts: number
  provider: string | null
  // The provider's own id of the last attempt.
  messageId: string | null
  reason: string | null
  retryable: boolean | null
  createdAt: Temporal.Instant
  sentAt: Temporal.Instant | null
  settledAt: Temporal.Instant | null
  // When the next attempt or question is due; null once it is settled.
  dueAt: Temporal.Instant | null
  // Oldest first.
  events: ShownEvent[]
}

const COLUMNS = `d.id, d.card_id as "cardId", d.channel, d.purpose, d.ordinal, d.status, d.attempt as attempts, d.provider,
  d.message_id as "messageId", d.reason, d.retryable, d.created_at as "createdAt", d.sent_at as "sentAt",
  d.settled_at as "settledAt", case when d.settled_at is null then d.due_at end as "dueAt",
  e.at, e.status as event_status, e.attempt as event_attempt, e.provider as event_provider, e.reason as event_reason`

const EVENTS = `left join lateral (select * from delivery_event where delivery_id = d.id order by id desc limit 100) e on true`

// The newest messages of one card.
const OF_CARD = {
  name: 'shown_deliveries',
  text: `select ${COLUMNS}
           from (select * from delivery where card_id = $1::uuid order by id desc limit $2::int) d ${EVENTS}
          order by d.id, e.id`,
}

const ONE = {
  name: 'shown_delivery',
  text: `select ${COLUMNS} from delivery d ${EVENTS} where d.id = $1::bigint order by e.id`,
}

type Row = Omit<ShownDelivery, 'events'> & {
  at: Temporal.Instant | null
  event_status: Status
  event_attempt: number
  event_provider: string | null
  event_reason: string | null
}

export async function listShownDeliveries(
  database: Reader,
  cardId: string,
  limit: number,
): Promise<ShownDelivery[]> {
  return gather(await database.read<Row & Record<string, unknown>>(OF_CARD, [cardId, limit]))
}

export async function findShownDelivery(database: Reader, id: bigint): Promise<ShownDelivery | undefined> {
  return gather(await database.read<Row & Record<string, unknown>>(ONE, [id]))[0]
}

function gather(rows: readonly Row[]): ShownDelivery[] {
  const shown = new Map<bigint, ShownDelivery>()
  for (const { at, event_status, event_attempt, event_provider, event_reason, ...delivery } of rows) {
    const one = shown.get(delivery.id) ?? { ...delivery, events: [] }
    shown.set(delivery.id, one)
    if (!at) continue
    one.events.push({
      at,
      status: event_status,
      attempt: event_attempt,
      provider: event_provider,
      reason: event_reason,
    })
  }
  return [...shown.values()]
}

const CONTENT = {
  name: 'shown_delivery_content',
  text: `select ${MESSAGE_COLUMNS}, p.code as partner from delivery d
           join gift_card c on c.id = d.card_id join partner p on p.id = c.partner_id where d.id = $1::bigint`,
}

// What it is made of, and whose card it is about.
export async function findContent(
  database: Reader,
  id: bigint,
): Promise<(MessageRow & { partner: string }) | undefined> {
  const rows = await database.read<MessageRow & { partner: string } & Record<string, unknown>>(CONTENT, [id])
  return rows[0]
}
