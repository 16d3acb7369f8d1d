import { wonToJson } from '#base/money.ts'
import { type Answer, type Asking, BEFORE, type Column, MAX_ROWS, SINCE } from '#flows/reports/report.ts'
import type { Days } from '#modules/prepaid/types.ts'

const ROWS = `
  select r.at, r.card_id as "cardId", p.code as partner, r.payout, r.policy, r.face, r.deduction, r.total,
         case when r.request_id is null then 'member' else 'operator' end as by
    from card_refund r
   cross join lateral (select partner_id from gift_card where id = r.card_id offset 0) c
    join partner p on p.id = c.partner_id
   where r.at >= ${SINCE} and r.at < ${BEFORE}
   order by r.at, r.card_id limit $3::int`

const SUMS = `
  select count(*)::int as refunds, coalesce(sum(total), 0)::bigint as total, coalesce(sum(deduction), 0)::bigint as deduction
    from card_refund where at >= ${SINCE} and at < ${BEFORE}`

// A card that its buyer cancels is refunded in full, to the partner. The closed days have these.
const VOIDS = `
  select coalesce(sum(debit_count), 0)::int as cards, coalesce(sum(debit), 0)::bigint as won
    from closed_day_line
   where day between $1::date and $2::date and account = 'outstanding_cards' and kind = 'void'`

const COLUMNS: readonly Column[] = [
  { name: 'at', kind: 'moment', names: { ko: '환불 시각', en: 'Refunded at' } },
  { name: 'cardId', kind: 'id', names: { ko: '상품권', en: 'Card' } },
  { name: 'partner', kind: 'text', names: { ko: '제휴사', en: 'Partner' } },
  {
    name: 'payout',
    kind: 'choice',
    names: { ko: '지급 방법', en: 'Paid as' },
    choices: { points: { ko: '포인트', en: 'points' }, money: { ko: '예치금', en: 'deposit' } },
  },
  { name: 'policy', kind: 'text', names: { ko: '환불 정책', en: 'Policy' } },
  { name: 'face', kind: 'won', names: { ko: '액면', en: 'Face value' } },
  { name: 'deduction', kind: 'won', names: { ko: '공제', en: 'Deduction' } },
  { name: 'total', kind: 'won', names: { ko: '환불액', en: 'Refunded' } },
  {
    name: 'by',
    kind: 'choice',
    names: { ko: '신청', en: 'Asked by' },
    choices: {
      member: { ko: '회원', en: 'member' },
      operator: { ko: '운영자 (두 사람)', en: 'operator, two people' },
    },
  },
]

interface Row {
  at: Temporal.Instant
  cardId: string
  partner: string
  payout: string
  policy: string
  face: bigint
  deduction: bigint
  total: bigint
  by: string
}

export async function readRefunds(asking: Asking, { from, to }: Days): Promise<Answer> {
  const rows = await asking.ask<Row>(ROWS, [from, to, MAX_ROWS + 1])
  const [sums] = await asking.ask<{ refunds: number; total: bigint; deduction: bigint }>(SUMS, [from, to])
  const [voids] = await asking.ask<{ cards: number; won: bigint }>(VOIDS, [from, to])
  return {
    figures: [
      {
        name: 'refunds',
        kind: 'count',
        names: { ko: '만료 상품권 환불', en: 'Refunds of expired cards' },
        value: sums!.refunds,
      },
      { name: 'total', kind: 'won', names: { ko: '환불액', en: 'Refunded' }, value: wonToJson(sums!.total) },
      {
        name: 'deduction',
        kind: 'won',
        names: { ko: '공제액', en: 'Deducted' },
        value: wonToJson(sums!.deduction),
      },
      {
        name: 'voids',
        kind: 'count',
        names: { ko: '구매 취소 (전액, 제휴사로)', en: 'Cancelled purchases (in full, to the partner)' },
        value: voids!.cards,
      },
      {
        name: 'voided',
        kind: 'won',
        names: { ko: '구매 취소액', en: 'Cancelled' },
        value: wonToJson(voids!.won),
      },
    ],
    columns: COLUMNS,
    complete: rows.length <= MAX_ROWS,
    rows: rows
      .slice(0, MAX_ROWS)
      .map((row) => [
        row.at.toString(),
        row.cardId,
        row.partner,
        row.payout,
        row.policy,
        ...[row.face, row.deduction, row.total].map(wonToJson),
        row.by,
      ]),
  }
}
