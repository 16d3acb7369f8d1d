import { wonToJson } from '#base/money.ts'
import {
  type Answer,
  type Asking,
  BEFORE,
  type Column,
  type Figure,
  MAX_ROWS,
  type Names,
  SINCE,
} from '#flows/reports/report.ts'
import type { Days } from '#modules/prepaid/types.ts'

// Each card that expired in the period, with what became of its reminders. An extended card counts its reminders of both last days:
// those of the new one have 1000 added. Each lookup is a probe of an index.
const JUDGED = `
  select c.id, c.partner_id, c.amount, c.issued_on, c.expires_on, c.expired_at, n.stages, n.reached,
         case when n.reached > 0 then 'delivered' when n.sent > 0 then 'unconfirmed'
              when n.stages > 0 then 'failed' else 'none' end as outcome
    from gift_card c
   cross join lateral (
     select count(distinct d.ordinal) as stages, count(distinct d.ordinal) filter (where d.status = 'delivered') as reached,
            count(*) filter (where d.status in ('accepted', 'unknown')) as sent
       from delivery d
      where d.card_id = c.id and d.purpose = 'reminder' and d.created_at < c.expired_at offset 0) n
   where c.expired_at >= ${SINCE} and c.expired_at < ${BEFORE}`

const SUMS = `
  select count(*)::int as expired, coalesce(sum(amount), 0)::bigint as won,
         count(*) filter (where outcome = 'delivered')::int as delivered,
         count(*) filter (where outcome = 'unconfirmed')::int as unconfirmed,
         count(*) filter (where outcome = 'failed')::int as failed, count(*) filter (where outcome = 'none')::int as none
    from (${JUDGED}) j`

const ROWS = `
  select j.id, p.code as partner, j.amount, j.issued_on as "issuedOn", j.expires_on as "expiresOn", j.expired_at as "expiredAt",
         j.stages::int, j.outcome
    from (${JUDGED}) j join partner p on p.id = j.partner_id
   where j.outcome <> 'delivered'
   order by j.expired_at, j.id limit $3::int`

const OUTCOMES: Record<string, Names> = {
  unconfirmed: { ko: '보냈으나 도달 미확인', en: 'sent, arrival not known' },
  failed: { ko: '발송 실패', en: 'failed' },
  none: { ko: '안내 없음', en: 'no notice' },
}

const COLUMNS: readonly Column[] = [
  { name: 'id', kind: 'id', names: { ko: '상품권', en: 'Card' } },
  { name: 'partner', kind: 'text', names: { ko: '제휴사', en: 'Partner' } },
  { name: 'amount', kind: 'won', names: { ko: '금액', en: 'Amount' } },
  { name: 'issuedOn', kind: 'day', names: { ko: '발행일', en: 'Issued' } },
  { name: 'expiresOn', kind: 'day', names: { ko: '유효기간', en: 'Last day' } },
  { name: 'expiredAt', kind: 'moment', names: { ko: '만료 처리', en: 'Expired at' } },
  { name: 'stages', kind: 'count', names: { ko: '만든 안내', en: 'Notices written' } },
  { name: 'outcome', kind: 'choice', names: { ko: '결과', en: 'Outcome' }, choices: OUTCOMES },
]

interface Row {
  id: string
  partner: string
  amount: bigint
  issuedOn: string
  expiresOn: string
  expiredAt: Temporal.Instant
  stages: number
  outcome: string
}

interface Sums {
  expired: number
  won: bigint
  delivered: number
  unconfirmed: number
  failed: number
  none: number
}

export async function readExpiryNotices(asking: Asking, { from, to }: Days): Promise<Answer> {
  const [sums] = await asking.ask<Sums>(SUMS, [from, to])
  const rows = await asking.ask<Row>(ROWS, [from, to, MAX_ROWS + 1])
  const count = (name: keyof Sums & string, names: Names): Figure => ({
    name,
    kind: 'count',
    names,
    value: Number(sums![name]),
  })
  return {
    figures: [
      count('expired', { ko: '만료된 상품권', en: 'Cards that expired' }),
      {
        name: 'won',
        kind: 'won',
        names: { ko: '만료 금액', en: 'Their amount' },
        value: wonToJson(sums!.won),
      },
      count('delivered', { ko: '안내가 도달함', en: 'Had a notice delivered' }),
      count('unconfirmed', OUTCOMES.unconfirmed!),
      count('failed', OUTCOMES.failed!),
      count('none', OUTCOMES.none!),
    ],
    columns: COLUMNS,
    complete: rows.length <= MAX_ROWS,
    rows: rows
      .slice(0, MAX_ROWS)
      .map((row) => [
        row.id,
        row.partner,
        wonToJson(row.amount),
        row.issuedOn,
        row.expiresOn,
        row.expiredAt.toString(),
        row.stages,
        row.outcome,
      ]),
    notes: [
      {
        ko: '표에는 안내가 도달하지 않은 상품권만 있습니다. 기간은 만료 처리된 날을 기준으로 합니다.',
        en: 'The table has the cards without a delivered notice. The period is that of the day on which the card was expired.',
      },
    ],
  }
}
