import type { Reader } from '#base/db/db.ts'
import type { Channel, DeliveryView, Purpose, Status } from './types.ts'

const TIMELINE = {
  name: 'delivery_timeline',
  text: `select d.id, d.channel, d.purpose, d.status, d.reason, d.retryable, d.attempt, d.created_at, d.sent_at,
           d.settled_at, e.at, e.status as event_status, e.attempt as event_attempt, e.reason as event_reason
      from delivery d
      left join lateral (select * from delivery_event where delivery_id = d.id order by id) e on true
     where d.card_id = $1
     order by d.id, e.id`,
}

interface TimelineRow {
  id: bigint
  channel: Channel
  purpose: Purpose
  status: Status
  reason: string | null
  retryable: boolean | null
  attempt: number
  created_at: Temporal.Instant
  sent_at: Temporal.Instant | null
  settled_at: Temporal.Instant | null
  at: Temporal.Instant | null
  event_status: Status
  event_attempt: number
  event_reason: string | null
}

// The messages of one card, oldest first, each with its history.
export async function listDeliveries(database: Reader, cardId: string): Promise<DeliveryView[]> {
  const views = new Map<bigint, DeliveryView>()
  for (const row of await database.read<TimelineRow>(TIMELINE, [cardId])) {
    const view = views.get(row.id) ?? toView(row)
    views.set(row.id, view)
    if (row.at) {
      const { at, event_status: status, event_attempt: attempt, event_reason: reason } = row
      view.events.push({ at, status, attempt, reason })
    }
  }
  return [...views.values()]
}

function toView(row: TimelineRow): DeliveryView {
  return {
    channel: row.channel,
    purpose: row.purpose,
    status: row.status,
    reason: row.reason,
    retryable: row.retryable,
    attempts: row.attempt,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    settledAt: row.settled_at,
    events: [{ at: row.created_at, status: 'queued', attempt: 0, reason: null }],
  }
}
