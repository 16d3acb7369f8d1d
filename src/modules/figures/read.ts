import type { Reader } from '#base/db/db.ts'

export interface CardsAndWon {
  cards: bigint
  won: bigint
}

export interface DayFigures {
  day: string
  issued: CardsAndWon
  used: CardsAndWon
  voided: CardsAndWon
  expired: CardsAndWon
  members: bigint
  orders: bigint
  ordersWon: bigint
  withdrawals: bigint
  withdrawalsWon: bigint
  delivered: bigint
  failed: bigint
}

const ACTS = ['issued', 'used', 'voided', 'expired'] as const

const actSums = ACTS.map(
  (act) => `coalesce(sum(${act}), 0)::bigint as ${act}, coalesce(sum(${act}_won), 0)::bigint as ${act}_won`,
).join(', ')

// One row for each of the last days, today included; days without anything too. Every join is of one day, by primary key.
const DAYS = {
  name: 'read_day_figures',
  text: `with days as (
      select (seoul_date(service_now()) - i)::date as day from generate_series($1::int - 1, 0, -1) as i)
    select d.day::text as day, c.*, m.members, o.*, w.*, e.*
      from days d
     cross join lateral (select ${actSums} from card_day f
                          where f.day = d.day and ($2::int is null or f.partner_id = $2)) c
     cross join lateral (select coalesce(sum(members), 0)::bigint as members from member_day f where f.day = d.day) m
     cross join lateral (select coalesce(sum(orders), 0)::bigint as orders, coalesce(sum(won), 0)::bigint as orders_won
                           from order_day f where f.day = d.day) o
     cross join lateral (select coalesce(sum(withdrawals), 0)::bigint as withdrawals,
                                coalesce(sum(won), 0)::bigint as withdrawals_won
                           from withdrawal_day f where f.day = d.day and f.outcome = 'requested') w
     cross join lateral (select coalesce(sum(messages) filter (where status = 'delivered'), 0)::bigint as delivered,
                                coalesce(sum(messages) filter (where status = 'failed'), 0)::bigint as failed
                           from delivery_day f where f.day = d.day) e
     order by d.day`,
}

type DayRow = Record<string, bigint> & { day: string }

// Cards of one partner if it is named; everything else is of the whole service.
export async function readDays(
  database: Reader,
  { days, partnerId }: { days: number; partnerId: number | null },
): Promise<DayFigures[]> {
  const rows = await database.read<DayRow>(DAYS, [days, partnerId])
  return rows.map((row) => {
    const act = (name: (typeof ACTS)[number]): CardsAndWon => ({
      cards: row[name]!,
      won: row[`${name}_won`]!,
    })
    return {
      day: row.day,
      issued: act('issued'),
      used: act('used'),
      voided: act('voided'),
      expired: act('expired'),
      members: row.members!,
      orders: row.orders!,
      ordersWon: row.orders_won!,
      withdrawals: row.withdrawals!,
      withdrawalsWon: row.withdrawals_won!,
      delivered: row.delivered!,
      failed: row.failed!,
    }
  })
}

export interface PartnerFigures {
  code: string
  name: string
  issued: bigint
  issuedWon: bigint
  used: bigint
  usedWon: bigint
}

const PARTNERS = {
  name: 'read_partner_figures',
  text: `select p.code, p.name, sum(f.issued)::bigint as issued, sum(f.issued_won)::bigint as "issuedWon",
                sum(f.used)::bigint as used, sum(f.used_won)::bigint as "usedWon"
           from card_day f join partner p on p.id = f.partner_id
          where f.day > seoul_date(service_now()) - $1::int and f.day <= seoul_date(service_now())
          group by p.id having sum(f.issued) + sum(f.used) > 0
          order by sum(f.issued_won) desc, p.code limit 20`,
}

// Those with the most, of the last days.
export function readPartnerFigures(database: Reader, days: number): Promise<PartnerFigures[]> {
  return database.read<PartnerFigures>(PARTNERS, [days])
}

export interface StockFigures {
  at: Temporal.Instant
  today: string
  outstanding: CardsAndWon
  // Above the limit for bearer cards.
  large: CardsAndWon
  // By days from today, today included.
  expiring: { days: number; through: string; cards: bigint; won: bigint }[]
}

const EXPIRING_DAYS = [7, 30, 90] as const

const STOCK = {
  name: 'read_stock_figures',
  text: `with clock as materialized (select service_now() as at, seoul_date(service_now()) as today)
    select clock.at, clock.today::text as today, w.days, (clock.today + w.days - 1)::text as through,
           coalesce(sum(f.cards), 0)::bigint as cards, coalesce(sum(f.won), 0)::bigint as won,
           coalesce(sum(f.cards) filter (where f.large), 0)::bigint as large_cards,
           coalesce(sum(f.won) filter (where f.large), 0)::bigint as large_won
      from clock cross join unnest(array[7, 30, 90, null]::int[]) as w (days)
      left join card_expiry f on w.days is null or f.expires_on >= clock.today and f.expires_on < clock.today + w.days
     group by clock.at, clock.today, w.days`,
}

interface StockRow {
  at: Temporal.Instant
  today: string
  days: number | null
  through: string | null
  cards: bigint
  won: bigint
  large_cards: bigint
  large_won: bigint
}

// Cards that are neither used, voided nor expired.
export async function readStock(database: Reader): Promise<StockFigures> {
  const rows = await database.read<StockRow>(STOCK, [])
  const all = rows.find(({ days }) => days === null)!
  return {
    at: all.at,
    today: all.today,
    outstanding: { cards: all.cards, won: all.won },
    large: { cards: all.large_cards, won: all.large_won },
    expiring: EXPIRING_DAYS.map((days) => {
      const { through, cards, won } = rows.find((row) => row.days === days)!
      return { days, through: through!, cards, won }
    }),
  }
}

export interface FailureFigures {
  channel: string
  status: 'failed' | 'unknown'
  provider: string
  reason: string
  messages: bigint
}

const FAILURES = {
  name: 'read_failure_figures',
  text: `select channel, status, provider, reason, sum(messages)::bigint as messages
           from delivery_day
          where day > seoul_date(service_now()) - $1::int and day <= seoul_date(service_now())
            and status in ('failed', 'unknown')
          group by channel, status, provider, reason having sum(messages) > 0
          order by sum(messages) desc, channel, provider, reason limit 200`,
}

// Messages that came to a bad end on the last days, the most frequent first.
export function readFailures(database: Reader, days: number): Promise<FailureFigures[]> {
  return database.read<FailureFigures>(FAILURES, [days])
}
