import { sql } from 'kysely'
import type { Tx } from '#base/db/db.ts'
import { formatKey } from './rules.ts'
import type { Channel, Purpose } from './types.ts'

// A message to ask the provider about now. Its next question is postponed for as long as this one may take, so that
// no other worker asks too.
export interface StatusQuery {
  id: bigint
  // As it travelled with the message.
  key: string
  channel: Channel
  attempt: number
  provider: string
  messageId: string | null
  triedAt: Temporal.Instant
  recipient: { sealed: Buffer; table: string; row: string }
}

interface StatusQueryRow {
  id: bigint
  channel: Channel
  attempt: number
  provider: string
  recipient: Buffer
  card_id: string
  purpose: Purpose
  ordinal: number
  message_id: string | null
  tried_at: Temporal.Instant
}

// `num_nulls(settled_at) = 1` means `settled_at is null`, but keeps the planner off the index of open messages. While many
// are open, that index is a slow way to find the given ids.
export async function takeStatusQueries(
  tx: Tx,
  ids: readonly bigint[],
  forMs: number,
): Promise<StatusQuery[]> {
  const { rows } = await sql<StatusQueryRow>`
    update delivery d set due_at = clock_timestamp() + make_interval(secs => ${forMs / 1000})
      from (select id from delivery
             where id = any(${ids}::bigint[]) and num_nulls(settled_at) = 1 and status in ('accepted', 'unknown')
               and due_at <= now()
             order by id for no key update skip locked) due, gift_card c
     where d.id = due.id and c.id = d.card_id
    returning d.id, d.attempt, d.provider, d.message_id, d.tried_at, d.card_id, d.channel, d.purpose, d.ordinal,
              c.recipient`.execute(tx)
  return rows.map(({ card_id, purpose, ordinal, message_id, tried_at, recipient, ...row }) => ({
    ...row,
    key: formatKey({ cardId: card_id, channel: row.channel, purpose, ordinal }),
    messageId: message_id,
    triedAt: tried_at,
    recipient: { sealed: recipient, table: 'gift_card', row: card_id },
  }))
}
