import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { configOf, type LocalService } from '../local-service.ts'
import type { Proof, Wanted } from '../proof.ts'
import { proveLocal, type Trial } from '../trial.ts'

const TOO_MANY = '53300'
const LONGEST_MS = 8_000
const AT_ONCE = 16

export const exhaustedConnections: Proof = {
  what: 'another program takes every connection of PostgreSQL, and the service loses its own',
  count: 5,
  run: (given) => proveLocal(given, (service, trial) => exhaust(service, trial, given)),
}

export async function exhaust(
  service: LocalService,
  trial: Trial,
  wanted: Wanted,
  longestMs = LONGEST_MS,
): Promise<string[]> {
  let most = 0
  for (const _ of trial.rounds(wanted)) {
    await trial.untilActing()
    const ms = 500 + trial.random.int(longestMs - 500)
    const taken = await service.withSql((client) => hold(client, ms))
    most = Math.max(most, taken)
    trial.fault(`${taken} connections held for ${ms} ms`)
  }
  await trial.untilActing()
  return [`another program held up to ${most} connections`]
}

// Takes what is free, then ends the service's own and takes their places too.
async function hold(client: pg.Client, ms: number): Promise<number> {
  const held: pg.Client[] = []
  try {
    await takeAll(client, held)
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name like 'ingot%'`,
    )
    const until = performance.now() + ms
    while (performance.now() < until) {
      await takeAll(client, held)
      await sleep(100)
    }
    return held.length
  } finally {
    await Promise.all(held.map((one) => one.end()))
  }
}

async function takeAll(client: pg.Client, held: pg.Client[]): Promise<void> {
  for (let isFull = false; !isFull; ) {
    const tried = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => take(client, held)))
    const failed = tried.find((one) => one.status === 'rejected')
    if (failed && failed.reason?.code !== TOO_MANY) throw failed.reason
    isFull = failed !== undefined
  }
}

async function take(client: pg.Client, held: pg.Client[]): Promise<void> {
  const one = new pg.Client({ ...configOf(client), application_name: 'another program' })
  one.on('error', () => {})
  await one.connect()
  held.push(one)
}
