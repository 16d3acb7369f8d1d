import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { Refused } from '#app/refused.ts'
import { listTables } from './catalog.ts'

// Ahead of the other triggers, which run by name: one of those must not fail first with an error of its own.
const TRIGGER = 'a_move_stops_writes'
const TRUNCATE_TRIGGER = 'a_move_stops_truncate'

// Long enough for PostgreSQL to call off an automatic vacuum (deadlock_timeout, 1 s). Writes that wait behind it get 503.
const TABLE_WAIT_MS = 3_000
const TABLE_PAUSE_MS = 200
const TABLE_PATIENCE_MS = 60_000
// 55P03 lock not available, 40P01 deadlock.
const IN_USE = /^(?:55P03|40P01)$/

const SETTLE_MS = 30_000 // longer than a job's request to a provider
const SETTLE_POLL_MS = 250

// The worker claims nothing more once it has seen the move. Jobs under way come to their end and write their outcome. After
// the wait the rest is carried over as it is, like the work of a worker that was killed: a message that was claimed becomes
// unknown, and the provider is asked about it before anything is sent.
export async function settleJobs(source: pg.Client): Promise<number> {
  const until = performance.now() + SETTLE_MS
  for (;;) {
    const { rows } = await source.query(
      `select count(*)::int as jobs from graphile_worker._private_jobs where locked_at > now() - interval '5 minutes'`,
    )
    const [{ jobs }] = rows as [{ jobs: number }]
    if (jobs === 0 || performance.now() > until) return jobs
    await sleep(SETTLE_POLL_MS)
  }
}

// Table after table, each in a transaction of its own. A transaction that meets one that is stopped fails as a whole, so none
// is split. If this process dies, the next call stops the rest.
export async function stopWrites(source: pg.Client): Promise<void> {
  const stopped = await listStopped(source)
  for (const { sql: name } of await listTables(source)) {
    if (stopped.has(name)) continue
    await whenFree(source, name, [
      `create or replace trigger ${TRIGGER} before insert or update or delete on ${name}
         for each row execute function refuse_moving_write()`,
      `create or replace trigger ${TRUNCATE_TRIGGER} before truncate on ${name}
         for each statement execute function refuse_moving_write()`,
    ])
  }
}

export async function allowWrites(source: pg.Client): Promise<void> {
  for (const name of await listStopped(source)) {
    await whenFree(source, name, [
      `drop trigger if exists ${TRIGGER} on ${name}`,
      `drop trigger if exists ${TRUNCATE_TRIGGER} on ${name}`,
    ])
  }
}

// One that was switched off stops nothing.
async function listStopped(source: pg.Client): Promise<Set<string>> {
  const { rows } = await source.query(
    `select format('%I.%I', n.nspname, c.relname) as name
       from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
      where t.tgname = '${TRIGGER}' and t.tgenabled in ('O', 'A')`,
  )
  return new Set(rows.map((row) => row.name))
}

async function whenFree(source: pg.Client, table: string, statements: readonly string[]): Promise<void> {
  const began = performance.now()
  for (;;) {
    try {
      await source.query('begin')
      await source.query(`set local lock_timeout = ${TABLE_WAIT_MS}`)
      for (const statement of statements) await source.query(statement)
      await source.query('commit')
      return
    } catch (error) {
      await source.query('rollback').catch(() => {})
      if (!IN_USE.test((error as { code?: string }).code ?? '')) throw error
      if (performance.now() - began > TABLE_PATIENCE_MS) {
        throw new Refused(
          `${table} has been in use by one transaction for a minute (a backup, a report, a vacuum): ` +
            'wait for its end and run the same command again',
        )
      }
    }
    await sleep(TABLE_PAUSE_MS)
  }
}
