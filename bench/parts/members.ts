import { verifyBooks } from '../books.ts'
import type { Installation } from '../installation.ts'
import { startGenerator } from '../load/start.ts'
import { type MemberTraffic, prepareMembers } from '../members/prepare.ts'
import type { Options } from '../options.ts'
import type { Goal, Outcome } from '../outcome.ts'
import { type Measured, type Measurement, measureInTurn, ratios } from '../rounds.ts'

const NOTE = `64 connections, each request with the session of another member; each redemption of another card and each
order on another quote. Two processes share one database, each with cards of other
partners; the house's side of a movement is spread over 16 accounts by
connection, or forced onto one. pgbench calls the service's own functions with one card or quote per
transaction: no HTTP, no sessions, no count of guesses. argon2 alone checks the same passwords, as many at once as the
service.`

// What members do per second, and what is left of it when all of it meets in one house account.
export async function benchmarkMembers(
  installation: Installation,
  options: Options,
  onProgress: (text: string) => void,
): Promise<Outcome> {
  onProgress('first start')
  await installation.startServer()
  const generator = startGenerator()
  const traffic = await prepareMembers(installation, generator, options, onProgress)
  const measurements = inOrder(traffic)
  const measured = await measureInTurn(measurements, options, await installation.meter(), onProgress)
  await generator.stop()
  onProgress('verifying the books')
  const complaint = await traffic.complaint()
  const books = await verifyBooks(installation, measured)

  const of = (measurement: Measurement) => measured[measurements.indexOf(measurement)]!
  return {
    ok: books.ok && complaint === undefined,
    measured,
    goals: goalsOf(traffic, of),
    notes: [NOTE, `rows: ${complaint ?? 'one for every answer'}`, ...books.notes],
  }
}

// What is compared stands close together.
function inOrder({ health, assets, quotes, ...traffic }: MemberTraffic): Measurement[] {
  const { redemptions, orders, contended, pgbench, logins, histories } = traffic
  return [
    ...[health, assets, quotes, redemptions],
    ...(pgbench?.redemptions ?? []),
    orders,
    ...(pgbench ? [pgbench.orders] : []),
    ...[...contended.redemptions, ...contended.orders],
    ...[...logins, ...histories.assets, ...histories.history],
  ]
}

function goalsOf(traffic: MemberTraffic, of: (measurement: Measurement) => Measured): Goal[] {
  const { health, assets, redemptions, orders, contended, pgbench, logins, histories } = traffic
  const to = (what: string, a: Measurement, b: Measurement): Goal => ({
    what,
    values: ratios(of(a), of(b), 'perSecond'),
    unit: '×',
  })
  const flat = (what: string, [few, many]: readonly [Measurement, Measurement]): Goal => ({
    what,
    values: ratios(of(many), of(few), 'p50'),
    unit: '×',
    target: { atMost: 1.2 },
  })
  const half = (what: string, [spread, onOne]: readonly [Measurement, Measurement]): Goal => ({
    ...to(`${what}, 1 house account to 16`, onOne, spread),
    target: { atLeast: 0.5 },
  })
  return [
    ...(pgbench
      ? [
          { ...to('redemptions to pgbench', redemptions, pgbench.redemptions[0]), target: { atLeast: 1 } },
          { ...to('orders to pgbench', orders, pgbench.orders), target: { atLeast: 1 } },
          to('pgbench redemptions, 1 house account to 16', pgbench.redemptions[1], pgbench.redemptions[0]),
        ]
      : []),
    half('redemptions', contended.redemptions),
    half('orders', contended.orders),
    { ...to('log-ins to argon2 alone', ...logins), target: { atLeast: 0.9 } },
    flat('asset page, many movements to few', histories.assets),
    flat('history, many movements to few', histories.history),
    to('asset pages to /healthz', assets, health),
  ]
}
