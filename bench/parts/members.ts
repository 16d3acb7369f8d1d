import { verifyBooks } from '../books.ts'
import { startHelper } from '../children.ts'
import type { Installation } from '../installation.ts'
import type { Job, Load } from '../load/run.ts'
import { prepareMembers } from '../members/prepare.ts'
import type { Options } from '../options.ts'
import type { Goal, Outcome } from '../outcome.ts'
import { type Measured, type Measurement, measureInTurn, ratios } from '../rounds.ts'
import { postgresVersion } from '../sql.ts'

const NOTE = `64 connections, each request with the session of another member; each redemption of another card and each
order on another quote. Two processes share one database, each with cards of other
partners; the house's side of a movement is spread over 16 accounts by
connection, or forced onto one. pgbench calls the service's own function with one card per transaction: no HTTP, no
sessions, no count of guesses.`

// What members do per second, and what is left of it when all of it meets in one house account.
export async function benchmarkMembers(
  installation: Installation,
  options: Options,
  onProgress: (text: string) => void,
): Promise<Outcome> {
  onProgress('first start')
  await installation.startServer()
  process.stdout.write(`PostgreSQL ${await postgresVersion(await installation.joinDatabase())}\n`)
  const generator = startHelper<Job, Load>(new URL('../load/generator.ts', import.meta.url))
  const traffic = await prepareMembers(installation, generator, options, onProgress)
  const { health, assets, quotes, redemptions, orders, contended, pgbench } = traffic
  const measurements = [
    ...[health, assets, quotes, redemptions, orders],
    ...[...contended.redemptions, ...contended.orders, ...(pgbench ?? [])],
  ]
  const measured = await measureInTurn(measurements, options, await installation.meter(), onProgress)
  await generator.stop()
  onProgress('verifying the books')
  const complaint = await traffic.complaint()
  const books = await verifyBooks(installation, measured)

  const of = (measurement: Measurement) => measured[measurements.indexOf(measurement)]!
  const against = (what: string, a: Measured, b: Measured): Goal => ({
    what,
    values: ratios(a, b, 'perSecond'),
    unit: '×',
  })
  const half = (what: string, [spread, onOne]: readonly [Measurement, Measurement]): Goal => ({
    ...against(`${what} on one house account to 16`, of(onOne), of(spread)),
    target: { atLeast: 0.5 },
  })
  const goals = [
    half('redemptions', contended.redemptions),
    half('orders', contended.orders),
    ...(pgbench
      ? [
          against('pgbench on one house account to 16', of(pgbench[1]), of(pgbench[0])),
          against('redemptions of one process to pgbench', of(redemptions), of(pgbench[0])),
        ]
      : []),
    against('asset pages to /healthz', of(assets), of(health)),
  ]
  return {
    ok: books.ok && complaint === undefined,
    measured,
    goals,
    notes: [NOTE, `rows: ${complaint ?? 'one for every answer'}`, ...books.notes],
  }
}
