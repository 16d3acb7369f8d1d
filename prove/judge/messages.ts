import type pg from 'pg'
import type { StandIn } from '#stand-ins/messaging/server.ts'
import { settleAll } from '#test/killed-worker.ts'
import type { Entry } from '../acts.ts'
import { PARTNER } from '../client.ts'
import type { Service } from '../service.ts'
import { acknowledged } from './cards.ts'

const SETTLE_MS = 1_800_000

// What was under way when a process died is asked about after a lease and some minutes. That time is passed here.
export async function settleMessages(service: Service): Promise<void> {
  await service.withSql((client) => settleAll({ client }, SETTLE_MS))
  await service.standIn.reports.idle()
}

// I7. Every message has ended. One that is said to have arrived came to its phone, and none came twice.
export async function checkMessages(
  sql: pg.Client,
  { phones }: StandIn,
  entries: readonly Entry[],
): Promise<string[]> {
  const { rows } = await sql.query<{ key: string; card: string | null; status: string; open: boolean }>(
    `select concat_ws('.', d.card_id, d.channel, d.purpose, d.ordinal) as key, d.card_id as card, d.status,
            d.settled_at is null as open
       from delivery d join gift_card c on c.id = d.card_id join partner p on p.id = c.partner_id where p.code = $1
     union all
     select n.key || '.text.notice.0', null, n.status, n.settled_at is null from notice n`,
    [PARTNER],
  )
  const violations = phones.doubled.map(
    (key) => `I7 doubled message: ${key} came ${phones.reached(key)} times`,
  )
  const perCard = new Map<string, number>()
  for (const { key, card, status, open } of rows) {
    if (open) violations.push(`I7 open message: ${key} is ${status}`)
    const reached = phones.reached(key)
    if (status === 'delivered' && reached === 0)
      violations.push(`I7 lost message: ${key} is delivered and never came`)
    if (status !== 'delivered' && reached > 0) violations.push(`I7 message is ${status} and came: ${key}`)
    if (card !== null) perCard.set(card, (perCard.get(card) ?? 0) + 1)
  }
  for (const id of acknowledged(entries, 'buy').keys()) {
    if (perCard.get(id) !== 2) violations.push(`I7 card ${id} has ${perCard.get(id) ?? 0} messages, not 2`)
  }
  return violations
}
