import type pg from 'pg'
import { Refused } from '#app/refused.ts'
import type { Runtime } from '#app/runtime.ts'
import type { BoundedClient } from '#base/db/client.ts'
import { LOCKS } from '#base/db/locks.ts'
import { openMover } from './state.ts'

// One process moves at a time. The lock is on a connection to the source, so that it ends with the process. The connection also
// does what is to be done there.
export async function withLock<Result>(
  runtime: Pick<Runtime, 'connection'>,
  work: (source: BoundedClient) => Promise<Result>,
): Promise<Result> {
  const source = await openMover(runtime.connection)
  try {
    const { rows } = await source.query(`select pg_try_advisory_lock(${LOCKS.move}) as taken`)
    if (!rows[0].taken) throw new Refused('another `ingot move` is under way here: wait for its end')
    return await work(source)
  } finally {
    await source.end().catch(() => {})
  }
}

// The connection may have been lost in the hours of a copy, and nothing tells of it. Another process may move by now.
export async function holdsLock(source: pg.Client): Promise<boolean> {
  const [space, number] = LOCKS.move.split(', ')
  try {
    const { rows } = await source.query(
      `select exists (select from pg_locks where locktype = 'advisory' and granted and pid = pg_backend_pid()
                         and classid = ${space} and objid = ${number} and objsubid = 2) as held`,
    )
    return rows[0].held
  } catch {
    return false
  }
}
