import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import { joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
import { readRecord } from '#app/embedded-postgres/placement-record.ts'
import { openDatabase } from '#base/db/db.ts'
import type { StandIn } from '#stand-ins/messaging/server.ts'
import { install } from '#test/installed-folder.ts'
import { approveTemplates, messagingSettings, startStandIns } from '#test/messaged-service.ts'
import {
  type Environment,
  freePort,
  listProcesses,
  type ServerProcess,
  startServer,
  temporaryFolder,
} from '#test/process.ts'
import type { Service } from './service.ts'
import { withClient } from './sql.ts'

export interface LocalOptions {
  // Where the service's own output goes.
  log: string
  settings?: Environment
  // How many servers share the database, each at its own address.
  servers?: number
  // Instead of the PostgreSQL that the service brings: its address for the service is in the settings (DATABASE_URL),
  // and this is the judge's.
  database?: pg.ClientConfig
}

// Servers of this machine as `npm start` runs them, and a provider for their messages beside them.
export class LocalService implements Service {
  readonly settings: Environment
  readonly standIn: StandIn
  readonly #all: readonly string[]
  readonly #out = new Set<string>()
  readonly #log: string
  readonly #database: pg.ClientConfig | undefined
  readonly #servers: ServerProcess[] = []

  private constructor(
    settings: Environment,
    ports: readonly string[],
    standIn: StandIn,
    options: LocalOptions,
  ) {
    this.settings = settings
    this.#all = ports.map((port) => `http://127.0.0.1:${port}`)
    this.standIn = standIn
    this.#log = options.log
    this.#database = options.database
  }

  static async start(options: LocalOptions): Promise<LocalService> {
    const ports: string[] = []
    for (let i = 0; i < (options.servers ?? 1); i += 1) ports.push(String(await freePort()))
    const standIns = await startStandIns(`http://127.0.0.1:${ports[0]}`, { nhn: false })
    const settings = {
      ...messagingSettings(standIns),
      DATA_DIR: join(temporaryFolder().path, 'data'),
      LOG_LEVEL: 'warn',
      INGOT_ROLES: 'api,worker',
      INGOT_PROCESSES: '2',
      TRUSTED_PROXIES: '127.0.0.1',
      ...options.settings,
    }
    if (!options.database) install(settings.DATA_DIR!)
    const service = new LocalService(settings, ports, standIns.solapi, options)
    for (const i of ports.keys()) await service.up(i)
    await service.#approveTemplates()
    return service
  }

  // A server that is told to stop is taken out first, as a load balancer does, and comes back when it is ready.
  get urls(): readonly string[] {
    const able = this.#all.filter((url) => !this.#out.has(url))
    return able.length > 0 ? able : this.#all
  }

  get server(): ServerProcess {
    assert(this.#servers[0], 'the service runs')
    return this.#servers[0]
  }

  // Until it is ready.
  async up(i = 0, changes: Environment = {}): Promise<void> {
    const server = await startServer({ ...this.settings, ...changes, PORT: new URL(this.#all[i]!).port })
    this.#servers[i] = server
    this.#out.delete(this.#all[i]!)
    void server.ended.then(() => appendFileSync(this.#log, server.output()))
  }

  // In order: what is under way is answered first.
  async down(i = 0): Promise<void> {
    this.#out.add(this.#all[i]!)
    assert.equal(await this.#servers[i]!.kill('SIGTERM'), 0, 'the service stops in order')
  }

  get dataDir(): string {
    return this.settings.DATA_DIR!
  }

  // Of PostgreSQL; undefined while it is down.
  get postmaster(): number | undefined {
    const record = readRecord(this.dataDir)
    const file = record && join(resolve(this.dataDir, record.home), 'data', 'postmaster.pid')
    return file && existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined
  }

  // What PostgreSQL does for its clients, each in a process.
  get backends(): number[] {
    const { postmaster } = this
    return listProcesses()
      .filter(({ parent, command }) => parent === postmaster && /\[local\]/.test(command))
      .map(({ pid }) => pid)
  }

  async withSql<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const { connection, leave } = await this.#join()
    try {
      return await withClient(connection, work)
    } finally {
      await leave()
    }
  }

  async #join(): Promise<{ connection: pg.ClientConfig; leave(): Promise<void> }> {
    if (this.#database) return { connection: this.#database, leave: async () => {} }
    const { databasePassword } = JSON.parse(readFileSync(join(this.dataDir, 'secrets.json'), 'utf8'))
    const postgres = await joinEmbeddedPostgres({ dataDir: this.dataDir, password: databasePassword })
    return { connection: { ...postgres.connection }, leave: () => postgres.leave() }
  }

  #approveTemplates(): Promise<void> {
    return this.withSql(async (client) => {
      const database = openDatabase({
        connection: configOf(client),
        maxConnections: 1,
        onIdleError: () => {},
      })
      await approveTemplates({ database })
      await database.close()
    })
  }
}

// For more connections like this one.
export function configOf({ host, port, user, password, database }: pg.Client) {
  return { host, port, user: user!, password: String(password ?? ''), database: database! }
}
