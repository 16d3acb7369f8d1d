import type pg from 'pg'
import { until } from '#test/patience.ts'
import type { Entry } from '../acts.ts'
import type { Client } from '../client.ts'
import { type ClientRecord, readEntries } from '../record.ts'
import { runIngot } from '../service.ts'
import { checkBooks } from './books.ts'
import { checkCards } from './cards.ts'
import { checkHoldings } from './holdings.ts'
import { checkMessages, settleMessages } from './messages.ts'
import { replayAcknowledged, resolveUnknown } from './retries.ts'

// Compares the client's record with the service, once the faults are over. The invariants:
//   I1 an acknowledged purchase exists once with its amount   I2 one idempotency key, at most one card
//   I3 per asset, transfers balance                           I4 no member account below zero
//   I5 a used card has exactly one redemption                 I6 balance = sum of transfers
//   I7 every card's messages end, none is doubled             I8 usage = recomputation from cards (by `verify`)
//   I9 every registration has its audit entry, none changes   I10 an unknown outcome resolves one way
// and nothing was answered that must never be. Each violation begins with the name of its invariant.
// `timeChecks`: those of `verify` that a fault of the clock is allowed to break.
export async function judge(
  client: Client,
  record: ClientRecord,
  timeChecks: readonly string[] = [],
): Promise<string[]> {
  const { service } = client
  const entries = readEntries(record.file)
  await untilQuiet(client)
  const violations = client.surprises.map((text) => `answer: ${text}`)
  violations.push(...(await resolveUnknown(client, record, entries)))
  violations.push(...(await replayAcknowledged(client, entries)))
  await settleMessages(service)
  violations.push(...(await service.withSql((sql) => compareRows(sql, client, entries))))
  violations.push(...(await verifyBooks(client, timeChecks)))
  return violations
}

// The record beside the rows and the phones.
export async function compareRows(
  sql: pg.Client,
  client: Client,
  entries: readonly Entry[],
): Promise<string[]> {
  return [
    ...(await checkCards(sql, entries)),
    ...(await checkHoldings(sql, client, entries)),
    ...(await checkBooks(sql)),
    ...(await checkMessages(sql, client.service.standIn, entries)),
  ]
}

// What the client gave up on may still be under way in the service. Nothing is judged before it has ended.
async function untilQuiet({ service }: Client): Promise<void> {
  for (const url of service.urls) {
    await until(
      async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200,
      `${url} is ready`,
    )
  }
  await service.withSql((sql) =>
    until(async () => {
      const { rows } = await sql.query(
        `select count(*)::int as n from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
            and (state = 'active' or state like 'idle in transaction%') and query not ilike 'listen%'
            and xact_start < now() - interval '1 second'`,
      )
      return rows[0].n === 0
    }, 'no transaction is left over'),
  )
}

// I8 and I9, and all else that an operator's `verify` finds.
export async function verifyBooks(
  { service }: Client,
  timeChecks: readonly string[] = [],
): Promise<string[]> {
  const { code, stdout, stderr } = await runIngot(service, 'verify', '--json')
  if (code === 0) return []
  const broken = brokenChecks(stdout)
  // It failed by something else than a check.
  if (broken.length === 0) return [`verify: ${(stdout || stderr).trim()}`]
  return broken
    .filter(({ check }) => !timeChecks.includes(check))
    .map((found) => `verify: ${JSON.stringify(found)}`)
}

function brokenChecks(stdout: string): { check: string; broken: number }[] {
  try {
    const { checks } = JSON.parse(stdout) as { checks: { check: string; broken: number }[] }
    return checks.filter(({ broken }) => broken > 0)
  } catch {
    return []
  }
}
