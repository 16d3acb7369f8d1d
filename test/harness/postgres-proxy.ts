import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterTest } from './at-end.ts'
import type { TestDatabase } from './postgres.ts'

export interface PostgresProxy {
  url: string
  // Connections that are there neither answer nor close from now on; PostgreSQL keeps its side of them.
  killExisting(): void
  // Whether new connections are accepted and then never answered.
  swallowNew(swallow: boolean): void
  // Connections are closed, and new ones too, until `comeBack`: all of them, or those of one application name.
  goAway(from?: string): void
  comeBack(): void
  // New connections that were closed because of `goAway`.
  turnedAway(): number
}

interface Link {
  client: Socket
  server: Socket | undefined
  dead: boolean
  // What it said of itself when it connected.
  startup: string
}

// Stands between the service and PostgreSQL, on TCP, and can turn into a black hole.
export async function startPostgresProxy(database: Pick<TestDatabase, 'connection'>): Promise<PostgresProxy> {
  const { host, port, user, password, database: name } = database.connection
  const links = new Set<Link>()
  let swallows = false
  let away: string | undefined
  let turnedAway = 0
  const isAway = ({ startup }: Link) => away !== undefined && startup.includes(away)
  const proxy = createServer((client) => {
    client.on('error', () => {})
    const link: Link = { client, server: undefined, dead: swallows, startup: '' }
    if (isAway(link)) return void client.destroy()
    links.add(link)
    client.on('close', () => {
      links.delete(link)
      link.server?.destroy()
    })
    if (!link.dead) link.server = connect(`${host}/.s.PGSQL.${port}`)
    link.server?.on('error', () => client.destroy())
    link.server?.on('close', () => link.dead || client.destroy())
    link.server?.on('data', (bytes) => link.dead || client.write(bytes))
    // What a dead one sends is taken, so that TCP has nothing to complain about.
    client.on('data', (bytes) => {
      link.startup ||= bytes.toString('latin1')
      if (isAway(link)) {
        turnedAway += 1
        client.destroy()
      } else if (!link.dead) link.server?.write(bytes)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  afterTest(() => {
    for (const { client } of links) client.destroy()
    proxy.close()
  })
  const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return {
    url: `postgresql://${user}:${encodeURIComponent(password)}@${address}/${name}`,
    killExisting() {
      for (const link of links) link.dead = true
    },
    swallowNew(swallow) {
      swallows = swallow
    },
    goAway(from = '') {
      away = from
      for (const link of links) if (isAway(link)) link.client.destroy()
    },
    comeBack() {
      away = undefined
    },
    turnedAway: () => turnedAway,
  }
}
