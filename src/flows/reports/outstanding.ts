import { wonToJson } from '#base/money.ts'
import type { Answer, Asking, Column } from '#flows/reports/report.ts'
import { metersOn, windowsOn } from '#modules/prepaid/rules.ts'
import type { Days } from '#modules/prepaid/types.ts'

// What was paid for and not given yet: cards that can be used, expired cards that can be refunded, points. The closed days have the
// balance of each account on the days on which it moved; no card is read.
const ACCOUNTS = `('outstanding_cards', 'expired_cards', 'holding')`

const GROUPS = `
  select a.account, p.partner_id
    from unnest(array['outstanding_cards', 'expired_cards', 'holding']) as a (account)
   cross join (select 0 as partner_id union all select id from partner) p`

// The last balance of each account up to a day.
const lastBefore = (condition: string) => `
  select closing from closed_day_balance b
   where b.account = g.account and b.asset = 'KRW_POINT' and b.partner_id = g.partner_id and ${condition}
   order by b.day desc limit 1`

export const BALANCES_BY_DAY = `
  with groups as (${GROUPS}),
  opening as (
    select g.account, sum(l.closing) as won
      from groups g cross join lateral (${lastBefore('b.day < $1::date')}) l
     group by g.account),
  moved as (
    select day, sum(credit - debit) filter (where account = 'outstanding_cards') as cards,
           sum(credit - debit) filter (where account = 'expired_cards') as expired,
           sum(credit - debit) filter (where account = 'holding') as points
      from closed_day_balance
     where day between $1::date and $2::date and asset = 'KRW_POINT' and account in ${ACCOUNTS}
     group by day),
  running as (
    select d.day,
           coalesce((select won from opening where account = 'outstanding_cards'), 0) + coalesce(sum(m.cards) over w, 0) as cards,
           coalesce((select won from opening where account = 'expired_cards'), 0) + coalesce(sum(m.expired) over w, 0) as expired,
           coalesce((select won from opening where account = 'holding'), 0) + coalesce(sum(m.points) over w, 0) as points
      from closed_day d left join moved m on m.day = d.day
     where d.day between $1::date and $2::date
    window w as (order by d.day))`

const BY_DAY = `${BALANCES_BY_DAY}
  select r.day, r.cards::bigint, r.expired::bigint, r.points::bigint, (r.cards + r.expired + r.points)::bigint as total,
         coalesce(l.issued, 0)::bigint as issued, coalesce(l.voided, 0)::bigint as voided
    from running r
    left join (select day, sum(credit) filter (where kind = 'issue') as issued, sum(debit) filter (where kind = 'void') as voided
                 from closed_day_line
                where day between $1::date and $2::date and account = 'outstanding_cards'
                group by day) l on l.day = r.day
   order by r.day`

const ON_DAYS = `
  with groups as (${GROUPS})
  select q.day, coalesce(sum(l.closing), 0)::bigint as won
    from unnest($1::date[]) as q (day)
    join closed_day d on d.day = q.day
   cross join groups g
    left join lateral (${lastBefore('b.day <= q.day')}) l on true
   group by q.day order by q.day`

const ISSUED = `
  select coalesce(sum(credit) filter (where day between $1::date and $2::date), 0)::bigint as "lastYear",
         coalesce(sum(credit) filter (where day >= $3::date), 0)::bigint as "thisYear"
    from closed_day_line
   where day between $1::date and $4::date and account = 'outstanding_cards' and kind = 'issue'`

const COLUMNS: readonly Column[] = [
  { name: 'day', kind: 'day', names: { ko: '일자', en: 'Day' } },
  { name: 'cards', kind: 'won', names: { ko: '미사용 상품권', en: 'Cards not used' } },
  { name: 'expired', kind: 'won', names: { ko: '만료 후 환불 가능', en: 'Expired, refundable' } },
  { name: 'points', kind: 'won', names: { ko: '미사용 포인트', en: 'Unspent points' } },
  { name: 'total', kind: 'won', names: { ko: '미상환 잔액', en: 'Outstanding' } },
  { name: 'issued', kind: 'won', names: { ko: '발행액', en: 'Issued' } },
  { name: 'voided', kind: 'won', names: { ko: '발행 취소액', en: 'Voided' } },
]

interface Row {
  day: string
  cards: bigint
  expired: bigint
  points: bigint
  total: bigint
  issued: bigint
  voided: bigint
}

export async function readOutstanding(asking: Asking, days: Days): Promise<Answer> {
  const rows = await asking.ask<Row>(BY_DAY, [days.from, days.to])
  const { quarters: ends, lastYear, thisYear } = windowsOn(days.to)
  const quarters = await asking.ask<{ day: string; won: bigint }>(ON_DAYS, [ends])
  const [issued] = await asking.ask<{ lastYear: bigint; thisYear: bigint }>(ISSUED, [
    lastYear.from,
    lastYear.to,
    thisYear.from,
    days.to,
  ])
  return {
    meters: metersOn({
      day: days.to,
      balance: rows.at(-1)!.total,
      quarters,
      issuedLastYear: issued!.lastYear,
      issuedThisYear: issued!.thisYear,
    }),
    columns: COLUMNS,
    rows: rows.map((row) => [
      row.day,
      ...[row.cards, row.expired, row.points, row.total, row.issued, row.voided].map(wonToJson),
    ]),
    notes: [
      {
        ko: '법정 기준: 발행잔액은 직전 사업연도 1분기부터 지난 분기까지 분기 말 잔액의 단순 평균, 연간 총발행액은 직전 사업연도의 발행액입니다. 사업연도는 1월에 시작하는 것으로 봅니다.',
        en: 'By law: the balance is the plain average of quarter ends, from the first quarter of last business year to the last quarter that is over; issuance is that of last business year. The business year is taken to begin in January.',
      },
    ],
  }
}
