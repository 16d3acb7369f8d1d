import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { BoundedClient, type BoundedConfig } from './client.ts'

const CLOSE_MS = 2_000 // an idle connection says goodbye in a moment

export interface BoundedPool {
  readonly pool: pg.Pool
  // Idle connections say goodbye; those in use are cut off after a moment.
  close(): Promise<void>
  // Every connection is closed at once, and what waits on one fails.
  destroy(): void
}

// Idle connections of all pools: a process's pools reach the same server. If one connection is dead, the idle ones
// usually are too, and each would cost another wait. So those that have not answered since are dropped with it.
const idle = new Set<BoundedClient>()

// A pool whose connections are given up when they go unanswered.
export function openPool(config: pg.PoolConfig & BoundedConfig, onLost: (error: Error) => void): BoundedPool {
  const pool = new pg.Pool({ ...config, Client: BoundedClient } as pg.PoolConfig)
  const clients = new Set<BoundedClient>()
  let isEnding = false
  const tell = (error: Error) => {
    if (!isEnding) onLost(error)
  }
  const bounded = (client: pg.PoolClient) => client as unknown as BoundedClient
  pool.on('error', tell)
  pool.on('connect', (opened) => {
    const client = bounded(opened)
    clients.add(client)
    client.on('error', (error: Error) => {
      if (!idle.has(client)) tell(error)
    })
    client.onAbandoned = (deadSince) => {
      for (const other of [...idle]) {
        if (other.answeredAt <= deadSince) other.abandon('another connection was found dead', deadSince)
      }
    }
    client.onReadOnly = () => {
      for (const other of [...idle]) other.abandon('the server takes no more writes')
    }
  })
  pool.on('acquire', (client) => idle.delete(bounded(client)))
  pool.on('release', (_error, released) => {
    const client = bounded(released)
    idle.add(client)
    // The pool removes one that is ending, and the next to connect finds the primary.
    if (client.isReadOnly) void client.end().catch(() => {})
  })
  pool.on('remove', (client) => {
    clients.delete(bounded(client))
    idle.delete(bounded(client))
  })
  function destroy(): void {
    isEnding = true
    for (const client of [...clients]) {
      // It was given up and not found dead: that says nothing about other pools.
      client.onAbandoned = () => {}
      client.abandon('the pool was given up')
    }
    if (!pool.ending) void pool.end().catch(() => {})
  }
  return {
    pool,
    destroy,
    async close() {
      isEnding = true
      const overdue = setTimeout(destroy, CLOSE_MS)
      // A pool that ends hands out no connection, and who waits for one would wait until the timeout.
      while (pool.waitingCount > 0 && !pool.ending) await sleep(5)
      if (!pool.ending) await pool.end()
      clearTimeout(overdue)
    },
  }
}
