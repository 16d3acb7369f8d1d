import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { TEMPLATES } from '#modules/deliveries/messages/templates.ts'
import type { Installation } from './installation.ts'
import { probeIndexes, withClient } from './sql.ts'
import type { Carried } from './stand-in.ts'

const LOOK_MS = 100
const PATIENCE_MS = 120_000

// By the operator's own commands.
export async function approveTemplates(installation: Installation): Promise<void> {
  for (const { name, purpose, language, version } of TEMPLATES) {
    const words = [purpose, language, name, '--version', String(version)]
    await installation.command('template', 'set', 'solapi', ...words)
  }
}

// The last message there is: what comes after it is of the next measurement.
export function lastMessage(connection: pg.ClientConfig): Promise<string> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'select coalesce(max(id), 0)::text as id from delivery',
    )
    return rows[0]!.id
  })
}

// Reads one entry of the index of what is open, whatever the planner thinks of the table.
export function untilAllSettled(connection: pg.ClientConfig): Promise<void> {
  return withClient(connection, async (client) => {
    await probeIndexes(client)
    const began = performance.now()
    for (;;) {
      const { rows } = await client.query<{ open: boolean }>(
        'select exists (select from delivery where settled_at is null) as open',
      )
      if (!rows[0]!.open) return
      if (performance.now() - began > PATIENCE_MS) throw new Error('messages do not come to their end')
      await sleep(LOOK_MS)
    }
  })
}

// Without a server: as a provider would have reported on all of them.
export async function endOpenMessages(connection: pg.ClientConfig): Promise<void> {
  await withClient(connection, async (client) => {
    await client.query(`
      with ended as (
        update delivery
           set status = 'delivered', attempt = greatest(attempt, 1), claimed_until = null, sent_at = coalesce(sent_at, now()),
               settled_at = service_now()
         where settled_at is null
        returning id, attempt, settled_at)
      insert into delivery_event (delivery_id, attempt, at, status)
      select id, attempt, settled_at, 'delivered' from ended`)
    // Nothing is left for their jobs to do. They would delay those of messages that are measured.
    await client.query(`
      delete from graphile_worker._private_jobs
       where task_id in (select id from graphile_worker._private_tasks where identifier in ('send_deliveries', 'ask_deliveries'))`)
  })
}

const OLDEST = `
  select coalesce(extract(epoch from service_now() - min(created_at)), 0)::float8 as seconds
    from delivery where settled_at is null and status = 'queued'`

// Looks at the queue until it is ended, and then gives the longest wait it saw, in seconds.
export function watchOldestQueued(connection: pg.ClientConfig): { end(): Promise<number> } {
  const ended = new AbortController()
  const watching = withClient(connection, async (client) => {
    await probeIndexes(client)
    let oldest = 0
    while (!ended.signal.aborted) {
      const { rows } = await client.query<{ seconds: number }>(OLDEST)
      oldest = Math.max(oldest, rows[0]!.seconds)
      await sleep(LOOK_MS)
    }
    return oldest
  })
  return {
    end() {
      ended.abort()
      return watching
    },
  }
}

export interface Passage {
  messages: number
  // From the first attempt to the last acceptance, and to the last report.
  sentSeconds: number
  settledSeconds: number
}

// Told by the rows themselves once all is over: nothing counts while it is measured.
export function passageOf(connection: pg.ClientConfig, afterId: string): Promise<Passage> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<Passage>(
      `select count(*)::int as messages,
              extract(epoch from max(e.first_at) - min(d.tried_at))::float8 as "sentSeconds",
              extract(epoch from max(d.settled_at) - min(d.tried_at))::float8 as "settledSeconds"
         from delivery d
         join (select delivery_id, min(at) as first_at from delivery_event where delivery_id > $1 group by 1) e
              on e.delivery_id = d.id
        where d.id > $1`,
      [afterId],
    )
    return rows[0]!
  })
}

// Whether our rows and the stand-in tell the same: every message once, and none of anything else.
export function compareWithRows(
  connection: pg.ClientConfig,
  carried: Carried,
): Promise<{ ok: boolean; text: string }> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ written: number; delivered: number; attempts: number }>(
      `select count(*)::int as written, coalesce(sum(attempt), 0)::int as attempts,
              (count(*) filter (where status = 'delivered'))::int as delivered
         from delivery where provider is not null or settled_at is null`,
    )
    const { written, delivered, attempts } = rows[0]!
    const { rows: others } = await client.query<{ what: string }>(
      `select concat_ws(' ', count(*), channel, status, reason, provider) as what from delivery
        where status <> 'delivered' group by channel, status, reason, provider`,
    )
    const counts = [written, delivered, attempts, carried.messages]
    const ok = counts.every((count) => count === written) && carried.doubled === 0
    const figures = `${written} written, ${attempts} attempts, ${carried.messages} taken in ${carried.sends} requests, ${delivered} delivered, ${carried.doubled} doubled`
    const rest = others.map(({ what }) => `; ${what}`).join('')
    return { ok, text: `${ok ? '' : 'FAILED: '}${figures}${rest}` }
  })
}
