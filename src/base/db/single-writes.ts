import pg from 'pg'
import type { BoundedClient, BoundedQuery } from './client.ts'
import { Unavailable } from './errors.ts'

// Writes that are one statement, each its own transaction.
// biome-ignore lint/suspicious/noExplicitAny: the rows of any statement
export type WriteQuery = (query: BoundedQuery) => Promise<any[]>

export function createWrite(pool: pg.Pool, unconfirmed: WeakSet<pg.PoolClient>): WriteQuery {
  return async (query) => {
    const client = await pool.connect()
    let broken = false
    try {
      return await send(client, unconfirmed, query)
    } catch (error) {
      broken = isBroken(error)
      throw error
    } finally {
      client.release(broken)
    }
  }
}

// A connection that statements of a pipeline share while any of them is under way.
interface Shared {
  readonly client: Promise<pg.PoolClient>
  underWay: number
  broken: boolean
}

// The server has the next statement when it is done with one, instead of waiting until we have read the answer and sent it.
export function createPipeline(pool: pg.Pool, unconfirmed: WeakSet<pg.PoolClient>): WriteQuery {
  let current: Shared | undefined

  // After any failure the next statement asks the pool again: the connection may be dead, or no longer take writes.
  function leave(shared: Shared): void {
    if (current === shared) current = undefined
  }

  return async (query) => {
    current ??= { client: connect(pool), underWay: 0, broken: false }
    const shared = current
    shared.underWay += 1
    try {
      return await send(await shared.client, unconfirmed, query)
    } catch (error) {
      shared.broken ||= isBroken(error)
      leave(shared)
      throw error
    } finally {
      shared.underWay -= 1
      if (shared.underWay === 0) {
        leave(shared)
        // There is nothing to give back if there was no connection.
        shared.client.then((client) => release(client, shared.broken)).catch(() => {})
      }
    }
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  const client = await pool.connect()
  pipelined(client).pipeline = true
  return client
}

function release(client: pg.PoolClient, broken: boolean): void {
  pipelined(client).pipeline = false
  client.release(broken)
}

// The driver's own switch. Between two uses nothing is under way, so that it may be turned.
const pipelined = (client: pg.PoolClient) => client as unknown as BoundedClient & { pipeline: boolean }

// A refused statement leaves its connection good; FATAL is the server's last word on it.
function isBroken(error: unknown): boolean {
  const refused = error instanceof pg.DatabaseError && error.severity !== 'FATAL'
  return !refused && !(error instanceof Unavailable)
}

// By a callback, which the driver calls at each answer. A promise goes on later: the answer to the next statement of a
// pipeline may have been read by then, and what it says about its own commit.
function send(
  client: pg.PoolClient,
  unconfirmed: WeakSet<pg.PoolClient>,
  query: BoundedQuery,
): Promise<pg.QueryResultRow[]> {
  return new Promise((resolve, reject) => {
    client.query(query, (error: Error | null, result) => {
      const isUnconfirmed = unconfirmed.delete(client)
      if (error) reject(error)
      else if (isUnconfirmed) reject(notConfirmed())
      else resolve(result.rows)
    })
  })
}

// With synchronous replication a cancelled wait at commit is only a warning: the row is here, but a
// failover may still lose it. That is not a success.
export function watchUnconfirmedCommits(pool: pg.Pool): WeakSet<pg.PoolClient> {
  const unconfirmed = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => {
    client.on('notice', (notice) => {
      if (notice.routine === 'SyncRepWaitForLSN') unconfirmed.add(client)
    })
  })
  return unconfirmed
}

export function refuseUnconfirmed(unconfirmed: WeakSet<pg.PoolClient>, client: pg.PoolClient): void {
  if (unconfirmed.delete(client)) throw notConfirmed()
}

const notConfirmed = () => new Unavailable('the commit was not confirmed by a standby')
