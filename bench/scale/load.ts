import type pg from 'pg'
import { ASKED_BY_BENCH } from '../asked-by-bench.ts'
import { probeIndexes, withClient } from '../sql.ts'
import { CARD_ROWS, HOUSE_BALANCES } from './card-rows.ts'
import { FORMULAS } from './formulas.ts'
import { HOLDERS, MEMBER_ACCOUNTS, MEMBER_ROWS, OPEN_HOLDINGS, TRADES } from './member-rows.ts'

export interface ScaleLoad {
  // Three; most cards are of the first.
  partnerCodes: readonly string[]
  // Above those of every load before it.
  firstCard: number
  cards: number
  firstMember: number
  members: number
  // One password's hash, which opens every account.
  passwordHash: string
}

const CARDS_AT_ONCE = 50_000
const MEMBERS_AT_ONCE = 50_000
const INSUFFICIENT_PRIVILEGE = '42501'

// The house's accounts and the keys in force. The clock has travelled a second: `verify` then allows transfers that are not in
// the order of their time. Prices of the time of the orders are there.
const LOAD = `
  insert into bench.load
  select service_now(), seoul_date(service_now()), $2, $3, $4, $5, p.ids, p.receivables,
         (select array_agg(id order by shard) from account where kind = 'outstanding_cards'),
         (select array_agg(id order by shard) from account where kind = 'expired_cards'),
         (select max(id) + 1 from account), chr(length(i.encryption_key))::bytea || convert_to(i.encryption_key, 'UTF8'),
         i.index_key
    from installation i,
         (select array_agg(p.id order by c.i) as ids, array_agg(a.id order by c.i) as receivables
            from unnest($1::text[]) with ordinality c (code, i) join partner p on p.code = c.code
            join account a on a.partner_id = p.id and a.kind = 'partner_receivable') p`

const LONG_AGO = [
  `insert into partner_validity (partner_id, months, since)
   select p, 12, '-infinity' from bench.load, unnest(partners) p
    where not exists (select from partner_validity v where v.partner_id = p and v.since = '-infinity')`,
  `update installation set clock_offset = greatest(clock_offset, interval '1 second')`,
  // As two people would have agreed on it.
  `with asked as (
     insert into change_request (id, kind, subject, payload, payload_hash, basis, maker, reason, created_at, expires_at,
                                 status, checker, decided_at, executed_hash)
     select gen_random_uuid(), 'terms', 'XAU', payload, sha256(convert_to(payload, 'UTF8')), '{}', 'bench', 'bench', at,
            at + interval '1 day', 'executed', 'another', at, sha256(convert_to(payload, 'UTF8'))
       from (values (timestamptz '2000-01-01', '{"feeBps":30,"maxAgeSeconds":86400,"spreadBps":100}')) as wanted (at, payload)
     returning id, created_at)
   insert into trading_terms (metal, spread_bps, fee_bps, max_age_seconds, at, set_by, request_id)
   select 'XAU', 100, 30, 86400, created_at, 'bench', id from asked`,
  ASKED_BY_BENCH,
  `insert into metal_price (metal, at, won_per_gram, source)
   select 'XAU', '2000-01-01', 198500, 'bench' on conflict do nothing`,
  // Every notice is done up to yesterday: one day's cards are due for each.
  `insert into expiry_notice (days_before, done_through)
   select days, l.today + days - 1 from bench.load l, refund_policy, unnest(notice_days) as days
   on conflict (days_before) do update set done_through = excluded.done_through`,
]

// Cards with members, messages and books, written set by set as the service would have left them, so that `verify` holds.
// Everything goes through the table's own triggers and indexes.
export function loadScale(
  connection: pg.ClientConfig,
  load: ScaleLoad,
  tell: (text: string) => void,
): Promise<void> {
  return withClient(connection, async (client) => {
    await client.query('set synchronous_commit = off')
    // As the service's own connections are set: the triggers' statements probe indexes, although the tables are small at first.
    await probeIndexes(client)
    await client.query(FORMULAS)
    const { partnerCodes, firstCard, cards, firstMember, members, passwordHash } = load
    await client.query(LOAD, [partnerCodes, firstCard, cards, firstMember, members])
    for (const statement of LONG_AGO) await client.query(statement)
    for (const [from, to] of chunksOf(firstMember, members, MEMBERS_AT_ONCE)) {
      tell(`members: ${(to - firstMember).toLocaleString('en-US')} of ${members.toLocaleString('en-US')}`)
      await inTransaction(client, async () => {
        await client.query(MEMBER_ROWS[0], [from, to])
        await client.query(MEMBER_ACCOUNTS, [from, to, passwordHash])
        for (const statement of MEMBER_ROWS.slice(1)) await client.query(statement, [from, to])
      })
    }
    tell('what members hold')
    await client.query(HOLDERS)
    await client.query('analyze bench.holder')
    for (const statement of OPEN_HOLDINGS) await client.query(statement)
    await client.query(
      `select setval(pg_get_serial_sequence('account', 'id'), (select max(id) from account))`,
    )
    await client.query('analyze account')
    for (const [from, to] of chunksOf(firstCard, cards, CARDS_AT_ONCE)) {
      tell(`cards: ${(to - firstCard).toLocaleString('en-US')} of ${cards.toLocaleString('en-US')}`)
      await inTransaction(client, async () => {
        for (const statement of CARD_ROWS) await client.query(statement, [from, to])
      })
    }
    tell('orders and withdrawals')
    await inTransaction(client, async () => {
      for (const statement of TRADES) await client.query(statement)
    })
    await client.query('set enable_seqscan = on')
    await client.query(HOUSE_BALANCES)
    await client.query('drop schema bench cascade')
  })
}

// What the purchases of a measurement have queued, as a worker would have left it: how far behind one is, is not measured here.
export function settleMessages(connection: pg.ClientConfig): Promise<void> {
  return withClient(connection, async (client) => {
    await probeIndexes(client) // scans of whole tables are counted, and this is none of the service's
    await client.query(
      `with sent as (
         update delivery set status = 'delivered', attempt = 1, provider = 'solapi', sent_at = service_now(), settled_at = service_now()
          where settled_at is null returning id, settled_at)
       insert into delivery_event (delivery_id, attempt, at, status, provider)
       select id, 1, settled_at, 'delivered', 'solapi' from sent`,
    )
    await client.query('vacuum (analyze) delivery, delivery_event')
  })
}

// Done here, so that neither happens by itself while something is measured.
export function settle(connection: pg.ClientConfig, tell: (text: string) => void): Promise<void> {
  return withClient(connection, async (client) => {
    tell('vacuum and analyze')
    await client.query('vacuum (analyze)')
    // Of a database that was given, the account may not be allowed to. Then one may come while something is measured.
    await client.query('checkpoint').catch((error: unknown) => {
      if ((error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE) throw error
    })
  })
}

function* chunksOf(first: number, count: number, size: number): Generator<[from: number, to: number]> {
  for (let from = first; from < first + count; from += size)
    yield [from, Math.min(from + size, first + count) - 1]
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  await work()
  await client.query('commit')
}
