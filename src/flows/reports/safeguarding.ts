import { wonToJson } from '#base/money.ts'
import { BALANCES_BY_DAY } from '#flows/reports/outstanding.ts'
import {
  type Answer,
  type Asking,
  type Column,
  type Figure,
  MAX_ROWS,
  type Names,
} from '#flows/reports/report.ts'
import type { Days, SafeguardMethod } from '#modules/prepaid/types.ts'

// The last record of each institution up to a day is what it holds on that day.
const HELD_ON = (day: string) => `
  select sum(l.won) as won, min(l.as_of) as "oldest"
    from (select distinct on (lower(f.institution)) f.won, f.as_of from safeguarded_fund f
           where f.as_of <= ${day} order by lower(f.institution), f.as_of desc, f.at desc, f.id desc) l`

const BY_DAY = `${BALANCES_BY_DAY}
  select r.day, (r.cards + r.expired + r.points)::bigint as required, coalesce(h.won, 0)::bigint as held,
         (r.cards + r.expired + r.points - coalesce(h.won, 0))::bigint as gap, h.oldest
    from running r left join lateral (${HELD_ON('r.day')}) h on true
   order by r.day`

// The last closed day alone, for the gauge and the overview.
export const LAST_GAP = {
  name: 'read_safeguard_gap',
  text: `with last as (select max(day) as day from closed_day)
    select last.day, b.won::bigint as required, coalesce(h.won, 0)::bigint as held
      from last
     cross join lateral (
       select coalesce(sum(c.closing), 0) as won
         from unnest(array['outstanding_cards', 'expired_cards', 'holding']) as a (account)
        cross join (select 0 as partner_id union all select id from partner) p
        cross join lateral (
          select closing from closed_day_balance d
           where d.account = a.account and d.asset = 'KRW_POINT' and d.partner_id = p.partner_id and d.day <= last.day
           order by d.day desc limit 1) c) b
     cross join lateral (${HELD_ON('last.day')}) h
     where last.day is not null`,
}

const COLUMNS: readonly Column[] = [
  { name: 'day', kind: 'day', names: { ko: '일자', en: 'Day' } },
  { name: 'required', kind: 'won', names: { ko: '별도 관리할 금액 (100%)', en: 'To be safeguarded (100%)' } },
  { name: 'held', kind: 'won', names: { ko: '별도 관리 중인 금액', en: 'Safeguarded' } },
  { name: 'gap', kind: 'won', names: { ko: '부족액', en: 'Shortage' } },
  { name: 'oldest', kind: 'day', names: { ko: '가장 오래된 기준일', en: 'Oldest record used' } },
]

interface Row {
  day: string
  required: bigint
  held: bigint
  gap: bigint
  oldest: string | null
}

export async function readSafeguarding(asking: Asking, days: Days): Promise<Answer> {
  const rows = await asking.ask<Row>(BY_DAY, [days.from, days.to])
  const last = rows.at(-1)!
  const short = rows.filter(({ gap }) => gap > 0n).length
  const won = (name: string, names: Names, value: bigint): Figure => ({
    name,
    kind: 'won',
    names,
    value: wonToJson(value),
  })
  return {
    figures: [
      won(
        'required',
        { ko: '마지막 날 별도 관리할 금액', en: 'To be safeguarded on the last day' },
        last.required,
      ),
      won('held', { ko: '마지막 날 별도 관리 금액', en: 'Safeguarded on the last day' }, last.held),
      won(
        'gap',
        { ko: '마지막 날 부족액 (−는 여유)', en: 'Shortage on the last day (− is surplus)' },
        last.gap,
      ),
      {
        name: 'short_days',
        kind: 'count',
        names: { ko: '부족한 날', en: 'Days with a shortage' },
        value: short,
      },
    ],
    columns: COLUMNS,
    rows: rows.map(({ day, required, held, gap, oldest }) => [
      day,
      wonToJson(required),
      wonToJson(held),
      wonToJson(gap),
      oldest,
    ]),
    notes: [
      {
        ko: '회원의 예치금(금·은을 판 돈)은 선불충전금이 아니므로 넣지 않았습니다. 기관의 금액은 그 기관의 다음 기록이 있을 때까지 이어집니다.',
        en: 'Members’ deposit, won from selling metal, is no prepaid balance and is left out. What an institution holds counts until its next record.',
      },
    ],
  }
}

const METHODS: Record<SafeguardMethod, Names> = {
  trust: { ko: '신탁', en: 'trust' },
  deposit: { ko: '예치', en: 'deposit' },
  guarantee: { ko: '지급보증보험', en: 'guarantee insurance' },
}

// Who recorded and who approved are of the request that the record came from.
const FUNDS = `
  select f.as_of as "asOf", f.institution, f.method, f.won, f.reference, r.maker, r.checker, f.at
    from safeguarded_fund f join change_request r on r.id = f.id
   where f.as_of between $1::date and $2::date
   order by f.as_of, f.at, f.id limit $3::int`

const FUND_COLUMNS: readonly Column[] = [
  { name: 'asOf', kind: 'day', names: { ko: '기준일', en: 'At the end of' } },
  { name: 'institution', kind: 'text', names: { ko: '관리 기관', en: 'Institution' } },
  { name: 'method', kind: 'choice', names: { ko: '방법', en: 'Method' }, choices: METHODS },
  { name: 'won', kind: 'won', names: { ko: '금액', en: 'Amount' } },
  { name: 'reference', kind: 'text', names: { ko: '증빙 번호', en: 'Reference' } },
  { name: 'maker', kind: 'text', names: { ko: '기록한 사람', en: 'Recorded by' } },
  { name: 'checker', kind: 'text', names: { ko: '승인한 사람', en: 'Approved by' } },
  { name: 'at', kind: 'moment', names: { ko: '승인 시각', en: 'Approved at' } },
]

interface Fund {
  asOf: string
  institution: string
  method: string
  won: bigint
  reference: string
  maker: string
  checker: string
  at: Temporal.Instant
}

export async function readFunds(asking: Asking, days: Days): Promise<Answer> {
  const rows = await asking.ask<Fund>(FUNDS, [days.from, days.to, MAX_ROWS + 1])
  return {
    columns: FUND_COLUMNS,
    complete: rows.length <= MAX_ROWS,
    rows: rows
      .slice(0, MAX_ROWS)
      .map((one) => [
        one.asOf,
        one.institution,
        one.method,
        wonToJson(one.won),
        one.reference,
        one.maker,
        one.checker,
        one.at.toString(),
      ]),
  }
}
