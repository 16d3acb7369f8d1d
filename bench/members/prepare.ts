import type pg from 'pg'
import { prepareActBaseline } from '../baselines/member-acts.ts'
import type { Installation } from '../installation.ts'
import type { Generator } from '../load/start.ts'
import type { Options } from '../options.ts'
import { getting } from '../requests.ts'
import type { Measurement } from '../rounds.ts'
import { withClient } from '../sql.ts'
import { type Histories, prepareHistories } from './history.ts'
import { loadSupplies, type Supplies } from './load.ts'
import { prepareLogins } from './logins.ts'
import { QUOTE_BODIES } from './quotes.ts'
import { Shards } from './shards.ts'
import { asking, inBoth, Supply } from './traffic.ts'

const PER_SECOND = 5_000 // of cards and quotes laid in

export interface MemberTraffic {
  health: Measurement
  assets: Measurement
  quotes: Measurement
  redemptions: Measurement
  orders: Measurement
  logins: [logins: Measurement, argon2: Measurement]
  histories: Histories
  // Between two server processes: within one, batches of one kind hardly wait for each other.
  contended: Record<'redemptions' | 'orders', [spread: Measurement, onOne: Measurement]>
  // Undefined where pgbench is not installed.
  pgbench: { redemptions: [spread: Measurement, onOne: Measurement]; orders: Measurement } | undefined
  // What should have been written for every answer, and was not.
  complaint(): Promise<string | undefined>
}

export async function prepareMembers(
  installation: Installation,
  generator: Generator,
  options: Options,
  tell: (text: string) => void,
): Promise<MemberTraffic> {
  const { port } = installation
  const seconds = 2 * options.warmUpSeconds + options.rounds * (3 * options.roundSeconds + 1)
  const supplies = await loadSupplies(installation, Math.ceil(seconds * PER_SECOND), tell)
  const { connection, members } = supplies
  const target = { port, generator, keys: [] }
  const one = { ports: [port], generator }
  tell('loading histories')
  const histories = await prepareHistories(connection, one, [members[0]!, members[1]!])
  const baselines = await prepareBaselines(supplies)
  await settle(supplies)
  const before = await countRows(connection)

  const { cards, quotes } = suppliesOf(supplies)
  tell('a second process')
  const two = { ports: [port, await installation.startBeside()], generator }
  const shards = new Shards(connection)
  const both = {
    redemptions: cards.using('redemptions, 2 processes', two),
    orders: quotes.using('orders, 2 processes', two),
  }
  const traffic = {
    health: getting('/healthz', target, { connections: 64, paths: ['/healthz'] }),
    assets: asking('asset pages', one, { path: '/member/assets', calls: members }),
    quotes: asking('quotes', one, {
      path: '/member/quotes',
      calls: members.map(({ session }, n) => ({ session, body: QUOTE_BODIES[n % QUOTE_BODIES.length]! })),
    }),
    redemptions: cards.using('redemptions', one),
    orders: quotes.using('orders', one),
  }
  tell('warming up')
  for (const measurement of [...Object.values(traffic), ...Object.values(both)]) {
    await measurement.run(options.warmUpSeconds / 2)
  }
  return {
    ...traffic,
    histories,
    logins: await prepareLogins(target, members),
    contended: { redemptions: inBoth(shards, both.redemptions), orders: inBoth(shards, both.orders) },
    pgbench: baselines && {
      redemptions: inBoth(shards, baselines.redemptions),
      orders: baselines.orders,
    },
    complaint: async () => compareRows(before, await countRows(connection), cards, quotes),
  }
}

// Half of what is laid in is for the service, and the other half for pgbench.
async function prepareBaselines({ connection, cards, quotes, count, of }: Supplies) {
  const redemptions = await prepareActBaseline(
    connection,
    'redemption',
    cards.slice(count).map(({ pinIndex }, n) => ({ key: pinIndex, holderId: of(n).holderId })),
  )
  const orders = await prepareActBaseline(
    connection,
    'order',
    quotes.slice(count).map(({ id, holderId }) => ({ key: id, holderId })),
  )
  return redemptions && orders && { redemptions, orders }
}

function suppliesOf({ members, cards, quotes, count, of }: Supplies): { cards: Supply; quotes: Supply } {
  const sessions = new Map(members.map(({ holderId, session }) => [holderId, session]))
  return {
    cards: new Supply(
      '/member/cards/redeem',
      cards.slice(0, count).map(({ pin }, n) => ({ session: of(n).session, body: JSON.stringify({ pin }) })),
    ),
    quotes: new Supply(
      '/member/orders',
      quotes.slice(0, count).map(({ id, holderId }) => ({
        session: sessions.get(holderId)!,
        body: JSON.stringify({ quoteId: id }),
      })),
    ),
  }
}

// Done here, so that neither happens by itself while something is measured.
function settle({ connection }: Supplies): Promise<void> {
  return withClient(connection, async (client) => {
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
  })
}

interface Rows {
  used: number
  orders: number
}

// Those of pgbench are left out: it counts its own.
function countRows(connection: pg.ClientConfig): Promise<Rows> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<Rows>(
      `with called as (select sequencename as name, last_value from pg_sequences where schemaname = 'bench')
       select count(*)::int - coalesce((select last_value from called where name = 'redeemed'), 0)::int as used,
              (select count(*)::int from trade_order)
                - coalesce((select last_value from called where name = 'ordered'), 0)::int as orders
         from gift_card where status = 'used'`,
    )
    return rows[0]!
  })
}

// The sandbox's demo and the histories have orders of their own from before.
function compareRows(before: Rows, after: Rows, cards: Supply, quotes: Supply): string | undefined {
  const used = after.used - before.used
  const orders = after.orders - before.orders
  if (cards.hasWritten(used) && quotes.hasWritten(orders)) return undefined
  const answers = ({ succeeded, failed }: Supply) => `${succeeded} answers and ${failed} failures`
  return `cards: ${answers(cards)}, ${used} used; orders: ${answers(quotes)}, ${orders} written`
}
