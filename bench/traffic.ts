import type pg from 'pg'
import { type Baselines, prepareBaselineMeasurements } from './baselines/measurements.ts'
import { prepareSlimReference } from './baselines/slim.ts'
import type { Goal } from './outcome.ts'
import type { BenchPartner } from './partners.ts'
import { buying, getting, lookupPaths, type Target } from './requests.ts'
import { fastest, type Measured, type Measurement, ratios } from './rounds.ts'
import { prepareUsers, type Users } from './users.ts'

export interface Traffic {
  measurements: Measurement[]
  // How the baselines work, for readers of the figures.
  note: string
  // Tables that only the measurements needed.
  drop(): Promise<void>
  // Of what was measured, in the order of the measurements.
  goals(measured: readonly Measured[]): Goal[]
}

// What the server does per second, beside what PostgreSQL does for others.
export async function prepareTraffic(
  connection: pg.ClientConfig,
  target: Target,
  { buyer, users }: { buyer: BenchPartner; users: BenchPartner },
  warmUpSeconds: number,
): Promise<Traffic> {
  const baselines = await prepareBaselineMeasurements(connection, buyer.code)
  const buy = (connections: number) =>
    buying(`purchases, ${many(connections, 'connection')}, 1 partner`, target, { connections })
  const slim = await prepareSlimReference(connection)
  const [alone, headline] = [buy(1), buy(64)]
  const partners = target.keys.length
  const ofMany = buying(`purchases, 64 connections, ${partners} partners`, target, {
    connections: 64,
    partners,
  })
  await headline.run(warmUpSeconds)
  const lookups = getting('lookups, 64 connections', target, {
    connections: 64,
    key: buyer.key,
    paths: await lookupPaths(connection, buyer.code),
  })
  await lookups.run(warmUpSeconds)
  const { signups, hashKeys, assets } = await prepareUsers(connection, target, users)
  for (const measurement of [signups, hashKeys, assets]) await measurement.run(warmUpSeconds)
  const health = getting('/healthz, 64 connections', target, { connections: 64, paths: ['/healthz'] })
  const compared: Compared = {
    alone,
    headline,
    ofMany,
    slim: slim.measurement,
    health,
    lookups,
    assets,
    signups,
    hashKeys,
  }
  // What is compared stands close together, so that it meets the same machine.
  const measurements = [
    alone,
    baselines.oneStatement,
    buy(16),
    ...(slim.measurement ? [slim.measurement] : []),
    headline,
    ofMany,
    health,
    lookups,
    assets,
    ...baselines.pgbench,
    ...baselines.plain,
    buying('purchases, 64 connections, idempotency keys', target, { connections: 64, idempotent: true }),
    signups,
    hashKeys,
  ]
  return {
    measurements,
    note: baselines.note,
    drop: slim.drop,
    goals: (measured) =>
      goalsOf(compared, baselines, (measurement) => measured[measurements.indexOf(measurement)]!),
  }
}

interface Compared extends Users {
  alone: Measurement
  headline: Measurement
  ofMany: Measurement
  slim: Measurement | undefined
  health: Measurement
  lookups: Measurement
}

function goalsOf(
  { alone, headline, ofMany, slim, health, lookups, assets, signups, hashKeys }: Compared,
  baselines: Baselines,
  of: (measurement: Measurement) => Measured,
): Goal[] {
  const share = (what: string, a: Measurement): Goal => ({
    what: `${what} to /healthz`,
    values: ratios(of(a), of(health), 'perSecond'),
    unit: '×',
    target: { atLeast: 0.85 },
  })
  const [pgbench, plain] = [baselines.pgbench, baselines.plain].map((list) => list.map(of))
  return [
    ...(slim ? [against('the slim reference', of(headline), of(slim))] : []),
    { ...share('purchases', headline), target: { atLeast: 0.4 }, aim: 0.5 },
    {
      what: 'a purchase alone to the same statement',
      values: ratios(of(alone), of(baselines.oneStatement), 'p50'),
      unit: '×',
      target: { atMost: 1.5 },
    },
    ...(pgbench!.length > 0 ? [againstBest('pgbench', of(headline), pgbench!)] : []),
    againstBest('node-postgres', of(headline), plain!),
    half('signups to purchases', of(signups), of(headline)),
    half('hash keys to purchases', of(hashKeys), of(headline)),
    {
      what: 'purchases of many partners to one’s',
      values: ratios(of(ofMany), of(headline), 'perSecond'),
      unit: '×',
      target: { atLeast: 0.85 },
    },
    share('lookups', lookups),
    share('asset lookups', assets),
  ]
}

// The headline is one partner's; it has to stand against the best of the others, whatever their partners.
function againstBest(who: string, purchases: Measured, others: readonly Measured[]): Goal {
  const best = fastest(others)
  return against(`${who}, ${best.name.split(', ').at(-1)}`, purchases, best)
}

function against(who: string, purchases: Measured, other: Measured): Goal {
  return {
    what: `purchases to ${who}`,
    values: ratios(purchases, other, 'perSecond'),
    unit: '×',
    target: { atLeast: 1 },
    aim: 1.5,
  }
}

function half(what: string, a: Measured, b: Measured): Goal {
  return { what, values: ratios(a, b, 'perSecond'), unit: '×', target: { atLeast: 0.5 } }
}

const many = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
