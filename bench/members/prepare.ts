import type pg from 'pg'
import { prepareRedemptionBaseline } from '../baselines/redemptions.ts'
import type { Helper } from '../children.ts'
import type { Installation } from '../installation.ts'
import type { Job, Load } from '../load/run.ts'
import type { Options } from '../options.ts'
import { addPartners } from '../partners.ts'
import { getting } from '../requests.ts'
import type { Measurement } from '../rounds.ts'
import { withClient } from '../sql.ts'
import { loadCards } from './cards.ts'
import { loadMembers } from './people.ts'
import { loadQuotes, openMarket, QUOTE_BODIES } from './quotes.ts'
import { Shards } from './shards.ts'
import { asking, inBoth, Supply } from './traffic.ts'

// So many that a session is seldom asked about twice in ten seconds: most of them have to be renewed, as those of people are.
const MEMBERS = 20_000
const PER_SECOND = 5_000 // of cards and quotes laid in
const WARM_UP_SECONDS = 2

export interface MemberTraffic {
  health: Measurement
  assets: Measurement
  quotes: Measurement
  redemptions: Measurement
  orders: Measurement
  // Between two server processes: within one, batches of one kind hardly wait for each other.
  contended: Record<'redemptions' | 'orders', [spread: Measurement, onOne: Measurement]>
  pgbench: [spread: Measurement, onOne: Measurement] | undefined
  // What should have been written for every answer, and was not.
  complaint(): Promise<string | undefined>
}

export async function prepareMembers(
  installation: Installation,
  generator: Helper<Job, Load>,
  options: Options,
  tell: (text: string) => void,
): Promise<MemberTraffic> {
  const { port } = installation
  const connection = await installation.joinDatabase()
  const vault = installation.vault()
  const seconds = 2 * WARM_UP_SECONDS + options.rounds * (3 * options.roundSeconds + 1)
  const count = Math.ceil(seconds * PER_SECOND)
  tell('registering partners')
  const partners = await addPartners(installation, ['sold-1', 'sold-2', 'sold-3', 'sold-4'])
  tell(`loading ${MEMBERS.toLocaleString('en-US')} members and ${(2 * count).toLocaleString('en-US')} cards`)
  await openMarket(connection)
  const members = await loadMembers(connection, vault, MEMBERS)
  const cards = await loadCards(connection, vault, {
    partnerCodes: partners.map(({ code }) => code),
    count: 2 * count,
  })
  tell(`loading ${count.toLocaleString('en-US')} quotes`)
  const quotes = await loadQuotes({ connection, port }, members, count)
  const of = (n: number) => members[n % members.length]!
  const pgbench = await prepareRedemptionBaseline(
    connection,
    cards.slice(count).map(({ pinIndex }, n) => ({ pinIndex, holderId: of(n).holderId })),
  )
  await settle(connection)

  const sessions = new Map(members.map(({ holderId, session }) => [holderId, session]))
  const cardSupply = new Supply(
    '/member/cards/redeem',
    cards.slice(0, count).map(({ pin }, n) => ({ session: of(n).session, body: JSON.stringify({ pin }) })),
  )
  const quoteSupply = new Supply(
    '/member/orders',
    quotes.map(({ id, holderId }) => ({
      session: sessions.get(holderId)!,
      body: JSON.stringify({ quoteId: id }),
    })),
  )
  tell('a second process')
  const [one, two] = [[port], [port, await installation.startBeside()]].map((ports) => ({ ports, generator }))
  const shards = new Shards(connection)
  const both = {
    redemptions: cardSupply.using('redemptions, 2 processes', two!),
    orders: quoteSupply.using('orders, 2 processes', two!),
  }
  const traffic = {
    health: getting('/healthz', { port, generator, keys: [] }, { connections: 64, paths: ['/healthz'] }),
    assets: asking('asset pages', one!, { path: '/member/assets', calls: members }),
    quotes: asking('quotes', one!, {
      path: '/member/quotes',
      calls: members.map(({ session }, n) => ({ session, body: QUOTE_BODIES[n % QUOTE_BODIES.length]! })),
    }),
    redemptions: cardSupply.using('redemptions', one!),
    orders: quoteSupply.using('orders', one!),
  }
  tell('warming up')
  for (const measurement of [...Object.values(traffic), ...Object.values(both)]) {
    await measurement.run(WARM_UP_SECONDS / 2)
  }
  return {
    ...traffic,
    contended: { redemptions: inBoth(shards, both.redemptions), orders: inBoth(shards, both.orders) },
    pgbench: pgbench && inBoth(shards, pgbench),
    complaint: () => compareWithRows(connection, cardSupply, quoteSupply),
  }
}

// Done here, so that neither happens by itself while something is measured.
function settle(connection: pg.ClientConfig): Promise<void> {
  return withClient(connection, async (client) => {
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
  })
}

function compareWithRows(
  connection: pg.ClientConfig,
  cards: Supply,
  quotes: Supply,
): Promise<string | undefined> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ used: number; orders: number }>(
      `select count(*)::int - coalesce((select last_value from pg_sequences
                                         where schemaname = 'bench' and sequencename = 'redeemed'), 0)::int as used,
              (select count(*)::int from trade_order) as orders
         from gift_card where status = 'used'`,
    )
    const { used, orders } = rows[0]!
    if (used === cards.succeeded && orders === quotes.succeeded) return undefined
    return `${cards.succeeded} cards redeemed and ${used} used; ${quotes.succeeded} orders placed and ${orders} written`
  })
}
