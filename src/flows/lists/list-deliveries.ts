import { sql } from 'kysely'
import { areFew, choiceOf, daysOf, PARTNER, textOf } from '#flows/lists/conditions.ts'
import type { Asking, List, Wanted } from '#flows/lists/list-types.ts'
import { BY_ID, createdOn, MESSAGE_STATUS } from '#flows/lists/messages.ts'

const CHANNELS = { alimtalk: { ko: '알림톡', en: 'Alimtalk' }, text: { ko: '문자', en: 'Text' } }
const PURPOSES = {
  gift: { ko: '선물', en: 'Gift' },
  resend: { ko: '재발송', en: 'Resend' },
  reminder: { ko: '만료 안내', en: 'Reminder' },
  cancellation: { ko: '취소 안내', en: 'Cancellation' },
}

const NAMES = {
  created: { ko: '등록', en: 'Created' },
  settled: { ko: '종료', en: 'Ended' },
  channel: { ko: '수단', en: 'Channel' },
  status: { ko: '상태', en: 'Status' },
  purpose: { ko: '용도', en: 'Purpose' },
  reason: { ko: '실패 사유', en: 'Reason' },
  provider: { ko: '발송 업체', en: 'Provider' },
  card: { ko: '상품권 ID', en: 'Card id' },
}

interface DeliveryRow {
  id: bigint
  card_id: string
  channel: string
  status: string
  purpose: string
  provider: string | null
  reason: string | null
  attempt: number
  created_at: Temporal.Instant
  settled_at: Temporal.Instant | null
}

// A message has no partner of its own, its card has. Those of a partner with few cards are found by the cards.
async function ofPartner(id: number, { db }: Asking): Promise<Wanted> {
  const cards = sql`from gift_card c where c.partner_id = ${id}::int`
  return (await areFew(db, cards))
    ? { by: 'few', sql: sql`t.card_id = any(array(select c.id ${cards}))` }
    : {
        by: 'row',
        sql: sql`exists (select from gift_card c where c.id = t.card_id and c.partner_id = ${id}::int)`,
      }
}

const OPEN = ['queued', 'accepted']

async function ofStatus(values: readonly string[], { db }: Asking): Promise<Wanted> {
  const is = sql`t.status = any(${values}::text[])`
  // In the words of the index that has them.
  if (values.length === 1 && values[0] === 'failed') return { by: 'range', sql: sql`t.status = 'failed'` }
  if (!values.every((value) => OPEN.includes(value))) return { by: 'row', sql: is }
  return (await areFew(db, sql`from delivery t where t.settled_at is null`))
    ? { by: 'few', sql: sql`t.settled_at is null and ${is}` }
    : { by: 'row', sql: is }
}

export const DELIVERIES: List = {
  name: 'deliveries',
  names: { ko: '발송', en: 'Deliveries' },
  table: 'delivery',
  ofPartner,
  filters: {
    partner: { kind: 'partner', names: PARTNER, condition: ofPartner },
    status: { kind: 'choice', names: NAMES.status, choices: MESSAGE_STATUS, condition: ofStatus },
    channel: choiceOf('channel', NAMES.channel, CHANNELS),
    purpose: choiceOf('purpose', NAMES.purpose, PURPOSES),
    reason: textOf('reason', NAMES.reason),
    provider: textOf('provider', NAMES.provider),
    created: createdOn('delivery', NAMES.created),
    settled: daysOf('settled_at', NAMES.settled),
    card: {
      kind: 'id',
      names: NAMES.card,
      condition: (id) => ({ by: 'few', sql: sql`t.card_id = ${uuidOrNone(id)}::uuid` }),
    },
  },
  sorts: { created: BY_ID },
  columns: [
    { name: 'created', kind: 'moment', names: NAMES.created, sort: 'created' },
    { name: 'status', kind: 'choice', names: NAMES.status, choices: MESSAGE_STATUS },
    { name: 'channel', kind: 'choice', names: NAMES.channel, choices: CHANNELS },
    { name: 'purpose', kind: 'choice', names: NAMES.purpose, choices: PURPOSES },
    { name: 'partner', kind: 'text', names: PARTNER },
    { name: 'provider', kind: 'text', names: NAMES.provider },
    { name: 'reason', kind: 'text', names: NAMES.reason },
    { name: 'attempts', kind: 'count', names: { ko: '시도', en: 'Attempts' } },
    { name: 'number', kind: 'id', names: { ko: '상품권 번호', en: 'Card number' } },
    { name: 'settled', kind: 'moment', names: { ko: '완료', en: 'Settled' }, inFile: true },
    { name: 'cardId', kind: 'id', names: NAMES.card, inFile: true },
    { name: 'deliveryId', kind: 'id', names: { ko: '발송 ID', en: 'Delivery id' }, inFile: true },
  ],
  fields: sql`t.id, t.card_id, t.channel, t.status, t.purpose, t.provider, t.reason, t.attempt, t.created_at, t.settled_at`,
  async show({ db, partners }, rows: readonly DeliveryRow[]) {
    const { rows: cards } = await sql<{ id: string; number: bigint; partner_id: number }>`
      select c.id, c.number, c.partner_id from gift_card c
       where c.id = any(${rows.map(({ card_id }) => card_id)}::uuid[])`.execute(db)
    const cardOf = new Map(cards.map((card) => [card.id, card]))
    return rows.map((row) => ({
      id: String(row.id),
      path: `/deliveries/${row.id}`,
      cells: {
        created: row.created_at.toString(),
        status: row.status,
        channel: row.channel,
        purpose: row.purpose,
        partner: partners.get(cardOf.get(row.card_id)!.partner_id)?.code ?? null,
        provider: row.provider,
        reason: row.reason,
        attempts: row.attempt,
        number: String(cardOf.get(row.card_id)!.number),
        settled: row.settled_at?.toString() ?? null,
        cardId: row.card_id,
        deliveryId: String(row.id),
      },
    }))
  },
}

const NO_CARD = '00000000-0000-0000-0000-000000000000'
const uuidOrNone = (id: string) => (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : NO_CARD)
