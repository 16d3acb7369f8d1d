import type pg from 'pg'
import { ASKED_BY_BENCH } from '../asked-by-bench.ts'
import { withClient } from '../sql.ts'
import type { BenchMember } from './people.ts'

// No worker reads prices beside what is measured: one price, which stays good for the day.
const MARKET = [
  `insert into metal_price (metal, at, won_per_gram, source)
   select metal, service_now(), won, 'bench' from (values ('XAU', 198500), ('XAG', 2480)) p (metal, won)`,
  // As two people would have agreed on it.
  `with asked as (
     insert into change_request (id, kind, subject, payload, payload_hash, basis, maker, reason, created_at, expires_at,
                                 status, checker, decided_at, executed_hash)
     select gen_random_uuid(), 'terms', metal, payload, sha256(convert_to(payload, 'UTF8')), '{}', 'bench', 'bench',
            service_now(), service_now() + interval '1 day', 'executed', 'another', service_now(),
            sha256(convert_to(payload, 'UTF8'))
       from unnest(array['XAU', 'XAG']) metal,
            (values ('{"feeBps":30,"maxAgeSeconds":86400,"spreadBps":100}')) as wanted (payload)
     returning id, subject)
   insert into trading_terms (metal, spread_bps, fee_bps, max_age_seconds, at, set_by, request_id)
   select subject, 100, 30, 86400, service_now(), 'bench', id from asked`,
  ASKED_BY_BENCH,
]

export function openMarket(connection: pg.ClientConfig): Promise<void> {
  return withClient(connection, async (client) => {
    for (const statement of MARKET) await client.query(statement)
  })
}

// A purchase and a sale, each asked for as a person would.
export const QUOTE_BODIES = [
  { side: 'buy', metal: 'gold', won: 10_000 },
  { side: 'sell', metal: 'silver', grams: '1.2500' },
].map((body) => JSON.stringify(body))

const COPIES = `
  with copied as (
    insert into trade_quote (id, holder_id, side, metal, units, reference, price, spread_bps, fee_bps, metal_won, fee,
                             total, rounding, created_at, expires_at, price_at, price_source)
    select uuidv7(), w.holder_id, q.side, q.metal, q.units, q.reference, q.price, q.spread_bps, q.fee_bps, q.metal_won,
           q.fee, q.total, q.rounding, q.created_at, q.created_at + interval '1 day', q.price_at,
           q.price_source
      from unnest($1::uuid[], $2::uuid[]) as w (holder_id, quote_id) join trade_quote q on q.id = w.quote_id
    returning id, holder_id)
  select id, holder_id as "holderId" from copied order by id`

export interface BenchQuote {
  id: string
  holderId: string
}

// Quotes that the server has given, again and again for every member: with another holder and more time, the rest is its
// own word.
export async function loadQuotes(
  { connection, port }: { connection: pg.ClientConfig; port: number },
  members: readonly BenchMember[],
  count: number,
  bodies: readonly string[] = QUOTE_BODIES,
): Promise<BenchQuote[]> {
  const given = await Promise.all(bodies.map((body) => askForQuote(port, members[0]!, body)))
  const holders = Array.from({ length: count }, (_, n) => members[n % members.length]!.holderId)
  // Of one member now a purchase, now a sale.
  const quotes = holders.map((_, n) => given[(n + Math.floor(n / members.length)) % given.length]!)
  return withClient(connection, async (client) => (await client.query(COPIES, [holders, quotes])).rows)
}

async function askForQuote(port: number, { session }: BenchMember, body: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/member/quotes`, {
    method: 'POST',
    headers: { cookie: `ingot_member=${session}`, 'content-type': 'application/json' },
    body,
  })
  if (answer.status !== 200) throw new Error(`no quote: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { quoteId: string }).quoteId
}
