import type pg from 'pg'
import { prepareBaselineMeasurements } from './baselines/measurements.ts'
import type { Goal } from './outcome.ts'
import type { BenchPartner } from './partners.ts'
import { buying, getting, lookupPaths, type Target } from './requests.ts'
import { fastest, type Measured, type Measurement, ratios } from './rounds.ts'
import { prepareUsers } from './users.ts'

const WARM_UP_SECONDS = 2 // until V8 has compiled what is hot, and every connection has its plans

export interface Traffic {
  measurements: Measurement[]
  // How the baselines work, for readers of the figures.
  note: string
  // Of what was measured, in the order of the measurements.
  goals(measured: readonly Measured[]): Goal[]
}

// What the server does per second, beside what PostgreSQL does for others.
export async function prepareTraffic(
  connection: pg.ClientConfig,
  target: Target,
  { buyer, users }: { buyer: BenchPartner; users: BenchPartner },
): Promise<Traffic> {
  const baselines = await prepareBaselineMeasurements(connection)
  const buy = (connections: number) =>
    buying(`purchases, ${many(connections, 'connection')}, 1 partner`, target, { connections })
  const headline = buy(64)
  await headline.run(WARM_UP_SECONDS)
  const lookups = getting('lookups, 64 connections', target, {
    connections: 64,
    key: buyer.key,
    paths: await lookupPaths(connection, buyer.code),
  })
  await lookups.run(WARM_UP_SECONDS)
  const { signups, hashKeys, assets } = await prepareUsers(connection, target, users)
  for (const measurement of [signups, hashKeys, assets]) await measurement.run(WARM_UP_SECONDS)
  const health = getting('/healthz, 64 connections', target, { connections: 64, paths: ['/healthz'] })
  const measurements = [
    buy(1),
    buy(16),
    headline,
    buying('purchases, 64 connections, 5 partners', target, { connections: 64, partners: 5 }),
    buying('purchases, 64 connections, idempotency keys', target, { connections: 64, idempotent: true }),
    ...baselines.pgbench,
    ...baselines.plain,
    signups,
    hashKeys,
    lookups,
    assets,
    health,
  ]
  return {
    measurements,
    note: baselines.note,
    goals(measured) {
      const of = (measurement: Measurement) => measured[measurements.indexOf(measurement)]!
      const [pgbench, plain] = [baselines.pgbench, baselines.plain].map((list) => list.map(of))
      return [
        ...(pgbench!.length > 0 ? [against('pgbench', of(headline), pgbench!)] : []),
        against('node-postgres', of(headline), plain!),
        half('signups to purchases at 64', of(signups), of(headline)),
        half('hash keys to purchases at 64', of(hashKeys), of(headline)),
        half('lookups to /healthz', of(lookups), of(health)),
        half('asset lookups to /healthz', of(assets), of(health)),
      ]
    },
  }
}

// The headline is one partner's; it has to stand against the best of the others, whatever their partners.
function against(who: string, purchases: Measured, others: readonly Measured[]): Goal {
  const best = fastest(others)
  return {
    what: `purchases at 64 to the best of ${who} (${best.name.split(', ').at(-1)})`,
    values: ratios(purchases, best, 'perSecond'),
    unit: '×',
    target: { atLeast: 1 },
    aim: 1.5,
  }
}

function half(what: string, a: Measured, b: Measured): Goal {
  return { what, values: ratios(a, b, 'perSecond'), unit: '×', target: { atLeast: 0.5 } }
}

const many = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
