import type pg from 'pg'
import { asSealed } from './sealed.ts'
import { withClient } from './sql.ts'

// A year of one partner's purchases, written set by set as write_purchases would have left them, so that
// `verify` holds. Values grow with the number of the card: indexes are filled at their right edge, which
// is quick, and their shape is of no interest here.
const CARDS = `
  insert into gift_card (id, tx_id, number, partner_id, api_key_id, amount, issued_at, issued_on, expires_on,
                         index_key, recipient, recipient_index, pin, pin_index)
  select uuidv7(), uuidv7(), number, $1, 'bench0000000', 10000 + number % 91 * 1000,
         (day + time '12:00') at time zone 'Asia/Seoul', day, (day + interval '12 months')::date, 'i1',
         $4, int8send(number) || $5, $6, int8send(number) || $5
    from (select number, (select seoul_date(service_now())) - (number % 365)::integer as day
            from generate_series($2::bigint, $3::bigint) number) numbered`

// The accounts are found once: joined per card, their table full of old versions would be read each time.
const ACCOUNTS = `
  with receivable as materialized (
         select id from account where partner_id = $1 and kind = 'partner_receivable'),
       outstanding as materialized (
         select array_agg(id order by shard) as ids from account where kind = 'outstanding_cards')`

const TRANSFERS = `${ACCOUNTS}
  insert into transfer (group_id, kind, asset, amount, debit_account, credit_account, card_id, at)
  select tx_id, 'issue', 'KRW_POINT', amount, (select id from receivable),
         (select ids from outstanding)[number % 16 + 1], id, issued_at
    from gift_card where partner_id = $1`

const BALANCES = `${ACCOUNTS}, moved as (
         select number % 16 + 1 as place, sum(amount) as amount from gift_card where partner_id = $1 group by 1)
  update account set balance = balance + net
    from (select (select ids from outstanding)[place] as id, amount as net from moved
          union all select (select id from receivable), -sum(amount) from moved) as totals
   where account.id = totals.id`

// On all four shards, as it would be after a year of several connections.
const USAGE = `
  insert into usage_day (partner_id, day, shard, issued)
  select partner_id, issued_on, number % 4, sum(amount) from gift_card where partner_id = $1 group by 1, 2, 3`

// Delivered already: no worker has anything to do with them.
const DELIVERIES = `
  with sent as (
    insert into delivery (card_id, channel, created_at, status, attempt, sent_at, settled_at)
    select id, channel, issued_at, 'delivered', 1, issued_at, issued_at
      from gift_card, (values ('alimtalk'), ('text')) both_channels (channel)
     where partner_id = $1
    returning id, settled_at)
  insert into delivery_event (delivery_id, attempt, at, status)
  select id, 1, settled_at, 'delivered' from sent`

// What belongs to the cards of a partner that has no others; `number` spreads it over the shards.
export const BOOKS = [TRANSFERS, BALANCES, USAGE, DELIVERIES] as const

export const SEALED_RECIPIENT = asSealed(Buffer.alloc(44, 0x5a)) // the sizes of what the vault makes of a phone number …
export const SEALED_PIN = asSealed(Buffer.alloc(47, 0x5a)) // … and of a PIN

// And nobody is reminded of those that are near their end: there is nothing in them to be read.
export const REMINDED = `
  insert into expiry_notice (days_before, done_through)
  select days, '2100-01-01' from refund_policy, unnest(notice_days) as days
  on conflict do nothing`

// A year that is written in a moment. The partner was there before it. Transfers are not in the order of their time,
// which `verify` allows only where the clock has travelled.
const LONG_AGO = [
  `insert into partner_validity (partner_id, months, since) values ($1, 12, '-infinity')`,
  `update installation set clock_offset = greatest(clock_offset, interval '1 second') where $1 > 0`,
] as const

export interface YearOfCards {
  partnerCode: string
  firstNumber: number
  count: number
}

export interface LoadedYear {
  firstDay: string
  lastDay: string
  won: number
}

export function loadYears(connection: pg.ClientConfig, years: readonly YearOfCards[]): Promise<LoadedYear[]> {
  return withClient(connection, async (client) => {
    await client.query('begin')
    const loaded: LoadedYear[] = []
    for (const year of years) loaded.push(await loadYear(client, year))
    await client.query(REMINDED)
    await client.query('commit')
    // Done here, so that neither happens by itself while something is measured.
    await client.query('vacuum (analyze) gift_card, transfer, usage_day, delivery, delivery_event, account')
    await client.query('checkpoint')
    return loaded
  })
}

async function loadYear(client: pg.Client, year: YearOfCards): Promise<LoadedYear> {
  const { rows } = await client.query('select id from partner where code = $1', [year.partnerCode])
  const partner: number = rows[0].id
  await client.query(CARDS, [
    partner,
    year.firstNumber,
    year.firstNumber + year.count - 1,
    SEALED_RECIPIENT,
    Buffer.alloc(24),
    SEALED_PIN,
  ])
  for (const statement of [...BOOKS, ...LONG_AGO]) await client.query(statement, [partner])
  const { rows: loaded } = await client.query<LoadedYear>(
    `select min(day)::text as "firstDay", max(day)::text as "lastDay", sum(issued)::float8 as won
       from usage_day where partner_id = $1`,
    [partner],
  )
  return loaded[0]!
}
