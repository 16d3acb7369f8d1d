import { sql } from 'kysely'
import { wonToJson } from '#base/money.ts'
import {
  byTime,
  choiceOf,
  datesOf,
  daysOf,
  ofPartner,
  PARTNER,
  partnerOf,
  wonOf,
} from '#flows/lists/conditions.ts'
import { isOnly, type List, type ListRow, type Showing } from '#flows/lists/list-types.ts'
import { opened } from '#flows/lists/opened.ts'
import { maskMobile, normalizeMobile } from '#modules/gift-cards/phone.ts'

interface CardRow {
  id: string
  tx_id: string
  number: bigint
  partner_id: number
  amount: bigint
  status: string
  issued_at: Temporal.Instant
  expires_on: string
  used_at: Temporal.Instant | null
  voided_at: Temporal.Instant | null
  recipient: Buffer
}

const CARD_STATUS = {
  issued: { ko: '미사용', en: 'Not used' },
  used: { ko: '사용됨', en: 'Used' },
  voided: { ko: '취소됨', en: 'Voided' },
  expired: { ko: '만료됨', en: 'Expired' },
}

const NAMES = {
  issued: { ko: '발행', en: 'Issued' },
  expires: { ko: '만료', en: 'Expires' },
  used: { ko: '사용', en: 'Used' },
  voided: { ko: '취소', en: 'Voided' },
  expired: { ko: '만료 처리', en: 'Expired' },
  amount: { ko: '금액', en: 'Amount' },
  status: { ko: '상태', en: 'Status' },
  phone: { ko: '받는 사람', en: 'Recipient' },
}

export const CARDS: List = {
  name: 'cards',
  names: { ko: '상품권', en: 'Cards' },
  table: 'gift_card',
  ofPartner: (id) => ofPartner('partner_id', id),
  filters: {
    partner: partnerOf('partner_id'),
    status: choiceOf('status', NAMES.status, CARD_STATUS),
    amount: wonOf('amount', NAMES.amount),
    issued: daysOf('issued_at', NAMES.issued),
    expires: datesOf('expires_on', NAMES.expires),
    used: daysOf('used_at', NAMES.used),
    voided: daysOf('voided_at', NAMES.voided),
    expired: daysOf('expired_at', NAMES.expired),
    phone: {
      kind: 'phone',
      names: NAMES.phone,
      condition(text, { vault }) {
        const number = normalizeMobile(text)
        if (number === undefined) return { by: 'few', sql: sql`false` }
        const { current, next } = vault.indexes('phone', number)
        return {
          by: 'few',
          sql: sql`t.recipient_index = any(${next ? [current, next] : [current]}::bytea[])`,
        }
      },
    },
  },
  sorts: {
    issued: {
      ...byTime('issued_at', 'issued', ['status', 'amount']),
      within: [{ filter: 'partner', column: 'partner_id' }],
    },
    // What expires next. A card that is used or expires leaves the list.
    expires: {
      key: [
        ['expires_on', 'date'],
        ['id', 'uuid'],
      ],
      range: ['expires', 'status'],
      decides: [],
      needs: {
        isGiven: (filters) => isOnly(filters, 'status', 'issued'),
        filter: ['status', 'issued'],
        condition: sql`t.status = 'issued'`,
      },
    },
    used: {
      ...byTime('used_at', 'used'),
      needs: {
        isGiven: (filters) => filters.has('used') || isOnly(filters, 'status', 'used'),
        filter: ['status', 'used'],
        condition: sql`t.used_at is not null`,
      },
    },
    voided: {
      ...byTime('voided_at', 'voided'),
      needs: {
        isGiven: (filters) => filters.has('voided') || isOnly(filters, 'status', 'voided'),
        filter: ['status', 'voided'],
        condition: sql`t.voided_at is not null`,
      },
    },
    expired: {
      ...byTime('expired_at', 'expired'),
      needs: {
        isGiven: (filters) => filters.has('expired') || isOnly(filters, 'status', 'expired'),
        filter: ['status', 'expired'],
        condition: sql`t.expired_at is not null`,
      },
    },
  },
  sortFor(filters) {
    const own = ['used', 'voided', 'expired'].find((name) => filters.has(name))
    if (own) return `-${own}`
    return filters.has('expires') && isOnly(filters, 'status', 'issued') ? 'expires' : undefined
  },
  columns: [
    { name: 'issued', kind: 'moment', names: NAMES.issued, sort: 'issued' },
    { name: 'number', kind: 'id', names: { ko: '상품권 번호', en: 'Number' } },
    { name: 'partner', kind: 'text', names: PARTNER },
    { name: 'amount', kind: 'won', names: NAMES.amount },
    { name: 'status', kind: 'choice', names: NAMES.status, choices: CARD_STATUS },
    { name: 'recipient', kind: 'text', names: NAMES.phone },
    { name: 'expires', kind: 'day', names: NAMES.expires, sort: 'expires' },
    { name: 'used', kind: 'moment', names: NAMES.used, sort: 'used' },
    { name: 'voided', kind: 'moment', names: NAMES.voided, inFile: true },
    { name: 'cardId', kind: 'id', names: { ko: '상품권 ID', en: 'Card id' }, inFile: true },
    { name: 'txId', kind: 'id', names: { ko: '거래 ID', en: 'Transaction id' }, inFile: true },
  ],
  sum: { column: 'amount', names: { ko: '금액 합계', en: 'Sum of amounts' } },
  fields: sql`t.id, t.tx_id, t.number, t.partner_id, t.amount, t.status, t.issued_at, t.expires_on, t.used_at,
    t.voided_at, t.recipient`,
  show: (showing, rows: readonly CardRow[]) => rows.map((row) => toRow(showing, row)),
}

function toRow({ vault, partners }: Showing, row: CardRow): ListRow {
  const recipient = opened(vault, { table: 'gift_card', column: 'recipient', row: row.id }, row.recipient)
  return {
    id: row.id,
    path: `/cards/${row.id}`,
    cells: {
      issued: row.issued_at.toString(),
      number: String(row.number),
      partner: partners.get(row.partner_id)?.code ?? null,
      amount: wonToJson(row.amount),
      status: row.status,
      recipient: recipient === undefined ? null : maskMobile(recipient),
      expires: row.expires_on,
      used: row.used_at?.toString() ?? null,
      voided: row.voided_at?.toString() ?? null,
      cardId: row.id,
      txId: row.tx_id,
    },
  }
}
