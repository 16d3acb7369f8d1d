import pg from 'pg'
import { BoundedClient, type BoundedConfig } from '#base/db-client.ts'

export interface BoundedPool {
  readonly pool: pg.Pool
  // Every connection is closed at once, and what waits on one fails.
  destroy(): void
}

// A pool whose connections are given up when they go unanswered. Where one is dead the idle ones usually are too: each
// would cost somebody the same wait, so those that have not answered since are given up with it.
export function openPool(config: pg.PoolConfig & BoundedConfig, onLost: (error: Error) => void): BoundedPool {
  const pool = new pg.Pool({ ...config, Client: BoundedClient } as pg.PoolConfig)
  const clients = new Set<BoundedClient>()
  const idle = new Set<BoundedClient>()
  const bounded = (client: pg.PoolClient) => client as unknown as BoundedClient
  pool.on('error', onLost)
  pool.on('connect', (opened) => {
    const client = bounded(opened)
    clients.add(client)
    client.on('error', (error: Error) => {
      if (!idle.has(client)) onLost(error)
    })
    client.onAbandoned = (deadSince) => {
      for (const other of [...idle]) {
        if (other.answeredAt <= deadSince) other.abandon('another connection was found dead', deadSince)
      }
    }
  })
  pool.on('acquire', (client) => idle.delete(bounded(client)))
  pool.on('release', (_error, client) => idle.add(bounded(client)))
  pool.on('remove', (client) => {
    clients.delete(bounded(client))
    idle.delete(bounded(client))
  })
  return {
    pool,
    destroy() {
      for (const client of [...clients]) client.abandon('the pool was given up')
      if (!pool.ending) void pool.end().catch(() => {})
    },
  }
}
