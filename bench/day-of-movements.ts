import type pg from 'pg'
import { SEALED_PIN, SEALED_RECIPIENT } from './year-of-cards.ts'

// Yesterday's ledger, written set by set: purchases all day long, of which every fourth card is registered an hour later by
// one of many members. Cards, transfers and balances only: `verify` would miss usage and messages.
const HOLDINGS = `
  insert into account (kind, asset, holder_id, floor)
  select 'holding', 'KRW_POINT', gen_random_uuid(), 0 from generate_series(1, 20000)`

const PLACES = `
  create temp table places as
  select (select array_agg(a.id order by a.id) from account a join partner p on p.id = a.partner_id where p.code = any ($1)) as receivables,
         (select array_agg(a.partner_id order by a.id) from account a join partner p on p.id = a.partner_id where p.code = any ($1)) as partners,
         (select array_agg(id order by shard) from account where kind = 'outstanding_cards') as outstanding,
         (select array_agg(id order by id) from account where kind = 'holding' and asset = 'KRW_POINT') as holdings,
         ((seoul_date(service_now()) - 1) + time '00:00') at time zone 'Asia/Seoul' as midnight`

const ACTS = `
  create temp table acts as
  select n, uuidv7() as id, uuidv7() as tx_id, 10000 + n % 91 * 1000 as amount, at,
         case when n % 4 = 0 then at + interval '1 hour' end as used_at
    from (select n, midnight + n * interval '80000 seconds' / $1::bigint as at from places, generate_series(1, $1::bigint) n) timed`

const CARDS = `
  insert into gift_card (id, tx_id, number, partner_id, api_key_id, amount, status, issued_at, issued_on, expires_on, used_at,
                         used_by, index_key, recipient, recipient_index, pin, pin_index)
  select id, tx_id, n, partners[n % 5 + 1], 'bench0000000', amount, case when used_at is null then 'issued' else 'used' end, at,
         seoul_date(at), seoul_date(at) + 365, used_at, case when used_at is not null then id end, 'i1', $1, int8send(n) || $2,
         case when used_at is null then $3::bytea end, int8send(n) || $2
    from acts, places order by n`

const TRANSFERS = `
  insert into transfer (group_id, kind, asset, amount, debit_account, credit_account, card_id, at)
  select t.group_id, t.kind, 'KRW_POINT', a.amount, t.debit, t.credit, a.id, t.at
    from acts a, places,
         lateral (values ('issue', a.tx_id, receivables[n % 5 + 1], outstanding[n % 16 + 1], a.at),
                         ('redeem', a.id, outstanding[n % 16 + 1], holdings[n % 20000 + 1], a.used_at)) t (kind, group_id, debit, credit, at)
   where t.at is not null order by t.at`

const BALANCES = `
  update account a set balance = a.balance + moved.net
    from (select account, sum(net) as net
            from (select credit_account as account, amount as net from transfer
                  union all select debit_account, -amount from transfer) legs group by account) moved
   where a.id = moved.account`

// Five partners. The database is new: nothing was moved before.
export async function loadDay(client: pg.Client, codes: readonly string[], movements: number): Promise<void> {
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  await client.query('truncate transfer, closed_day')
  await client.query('update account set balance = 0')
  await client.query(HOLDINGS)
  await client.query(PLACES, [codes])
  await client.query(ACTS, [Math.round(movements * 0.8)])
  await client.query(CARDS, [SEALED_RECIPIENT, Buffer.alloc(24), SEALED_PIN])
  await client.query(TRANSFERS)
  await client.query(BALANCES)
  await client.query('commit')
  await client.query('vacuum (analyze) gift_card, transfer, account')
  await client.query('checkpoint')
}
