import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
import { readRecord } from '#app/embedded-postgres/placement-record.ts'
import { openDatabase } from '#base/db/db.ts'
import type { StandIn } from '#stand-ins/messaging/server.ts'
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

export interface EmbeddedOptions {
  // Where the service's own output goes.
  log: string
  settings?: Environment
  // Instead of a temporary folder.
  dataDir?: string
}

// The service as `npm start` runs it, with the PostgreSQL that it brings, and a provider for its messages beside it.
export class EmbeddedService implements Service {
  readonly settings: Environment
  readonly urls: readonly string[]
  readonly standIn: StandIn
  readonly #log: string
  #server: ServerProcess | undefined

  private constructor(settings: Environment, standIn: StandIn, log: string) {
    this.settings = settings
    this.urls = [`http://127.0.0.1:${settings.PORT}`]
    this.standIn = standIn
    this.#log = log
  }

  static async start({ log, settings = {}, dataDir }: EmbeddedOptions): Promise<EmbeddedService> {
    const port = String(await freePort())
    const standIns = await startStandIns(`http://127.0.0.1:${port}`, { nhn: false })
    const service = new EmbeddedService(
      {
        ...messagingSettings(standIns),
        DATA_DIR: dataDir ?? join(temporaryFolder().path, 'data'),
        PORT: port,
        LOG_LEVEL: 'warn',
        INGOT_ROLES: 'api,worker',
        INGOT_PROCESSES: '2',
        TRUSTED_PROXIES: '127.0.0.1',
        ...settings,
      },
      standIns.solapi,
      log,
    )
    await service.up()
    await service.#approveTemplates()
    return service
  }

  get server(): ServerProcess {
    assert(this.#server, 'the service runs')
    return this.#server
  }

  // Until it is ready.
  async up(changes: Environment = {}): Promise<void> {
    this.#server = await startServer({ ...this.settings, ...changes })
    const { ended, output } = this.#server
    void ended.then(() => appendFileSync(this.#log, output()))
  }

  // In order. Nothing of it may be left undone.
  async down(): Promise<void> {
    assert.equal(await this.server.kill('SIGTERM'), 0, 'the service stops in order')
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
    const { databasePassword } = JSON.parse(readFileSync(join(this.dataDir, 'secrets.json'), 'utf8'))
    const postgres = await joinEmbeddedPostgres({ dataDir: this.dataDir, password: databasePassword })
    const client = new pg.Client({ ...postgres.connection })
    client.on('error', () => {}) // a lost connection fails the query that waits for it
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
      await postgres.leave()
    }
  }

  async #approveTemplates(): Promise<void> {
    await this.withSql(async ({ host, port, user, database, password }) => {
      const connection = { host, port, user: user!, database: database!, password: String(password) }
      const handle = openDatabase({ connection, maxConnections: 1, onIdleError: () => {} })
      await approveTemplates({ database: handle })
      await handle.close()
    })
  }
}
