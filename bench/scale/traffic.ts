import type pg from 'pg'
import type { Generator } from '../load/start.ts'
import { PASSWORD } from '../members/people.ts'
import { loadQuotes } from '../members/quotes.ts'
import { asking, Supply } from '../members/traffic.ts'
import type { BenchPartner } from '../partners.ts'
import { buying, getting, posting, signingUp } from '../requests.ts'
import type { Measurement } from '../rounds.ts'
import type { Samples } from './samples.ts'

const CONNECTIONS = 16
const LOG_INS_AT_ONCE = 4 // one is checked at a time
// For less than what everyone in the sample has.
const PURCHASE = JSON.stringify({ side: 'buy', metal: 'gold', won: 1_500 })

export interface ScaleTarget {
  connection: pg.ClientConfig
  port: number
  generator: Generator
  partner: BenchPartner
}

// Every endpoint that partners and members use every day, asked about rows from anywhere in the tables.
export async function trafficOn(target: ScaleTarget, samples: Samples): Promise<Measurement[]> {
  return [...ofPartners(target, samples), ...(await ofMembers(target, samples))]
}

// Bought through the service, since only it knows their PINs, until there are enough for every redemption.
export async function stockCards({ port, generator, partner }: ScaleTarget, wanted: number): Promise<void> {
  const buy = buying('', { port, generator, keys: [partner.key] }, { connections: 64 })
  for (let bought = 0; bought < wanted; ) bought += (await buy.run(1)).requests ?? wanted
}

function ofPartners({ port, generator, partner }: ScaleTarget, samples: Samples): Measurement[] {
  const { code, key } = partner
  const to = { port, generator, keys: [key] }
  const get = (name: string, paths: readonly string[]) =>
    getting(name, to, { connections: CONNECTIONS, key, paths })
  const cards = '/v2/partner/metal/giftcard/buy'
  return [
    buying('purchases', to, { connections: CONNECTIONS }),
    buying('purchases with idempotency keys', to, { connections: CONNECTIONS, idempotent: true }),
    get(
      'lookups by gift id',
      samples.cards.map(({ id }) => `${cards}/${id}`),
    ),
    get(
      'lookups by number',
      samples.cards.map(({ number }) => `${cards}/${number}`),
    ),
    get(
      'deliveries of a card',
      samples.cards.map(({ id }) => `${cards}/${id}/deliveries`),
    ),
    get('usage of a year', [`/v2/partner/usage?${lastYear()}`]),
    get('list of cards', ['/v2/partner/metal/giftcard']),
    signingUp('signups', to, { connections: CONNECTIONS, partner }),
    posting('hash keys', to, {
      connections: CONNECTIONS,
      key,
      path: '/v1/partners/user/hash',
      bodies: samples.userKeys.map((partnerKey) => JSON.stringify({ partner: code, partnerKey })),
    }),
    get(
      'asset lookups',
      samples.userKeys.map((user) => `/v1/partners/user/asset/gross?source=${code}&partnerKey=${user}`),
    ),
  ]
}

async function ofMembers(
  { connection, port, generator }: ScaleTarget,
  { members, pins }: Samples,
): Promise<Measurement[]> {
  const to = { ports: [port], generator }
  const get = (name: string, path: string) => asking(name, to, { path, calls: members })
  const quotes = await loadQuotes({ connection, port }, members, pins.length, [PURCHASE])
  const sessions = new Map(members.map(({ holderId, session }) => [holderId, session]))
  const of = (n: number) => members[n % members.length]!
  return [
    get('asset pages', '/member/assets'),
    get('history pages', '/member/history'),
    get('pages of acts', '/member/history/acts'),
    get("members' withdrawals", '/member/withdrawals'),
    posting(
      'log-ins',
      { port, generator, keys: [] },
      {
        connections: LOG_INS_AT_ONCE,
        path: '/member/login',
        bodies: members.map(({ loginId }) => JSON.stringify({ loginId, password: PASSWORD })),
      },
    ),
    asking('quotes', to, {
      path: '/member/quotes',
      calls: members.map(({ session }) => ({ session, body: PURCHASE })),
    }),
    new Supply(
      '/member/orders',
      quotes.map(({ id, holderId }) => ({
        session: sessions.get(holderId)!,
        body: JSON.stringify({ quoteId: id }),
      })),
    ).using('orders', to),
    new Supply(
      '/member/cards/redeem',
      pins.map((pin, n) => ({ session: of(n).session, body: JSON.stringify({ pin }) })),
    ).using('redemptions', to),
  ]
}

function lastYear(): string {
  const today = Temporal.Now.plainDateISO('Asia/Seoul')
  return new URLSearchParams({
    startDate: today.subtract({ days: 364 }).toString(),
    endDate: today.toString(),
  }).toString()
}
