import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
import { openDatabase } from '#base/db/db.ts'
import type { StandIn } from '#stand-ins/messaging/server.ts'
import type { CommandRun } from '#test/commands.ts'
import { approveTemplates, messagingSettings, startStandIns } from '#test/messaged-service.ts'
import { TEST_RING_FILE } from '#test/postgres.ts'
import { type Environment, freePort, launchServer, type ServerProcess, startServer } from '#test/process.ts'
import { type Installed, runCommand } from './releases.ts'
import { RollingProxy } from './rolling-proxy.ts'
import type { Service } from './service.ts'

const SERVERS = 2

// Two servers behind a proxy, on one database that belongs to neither. Each is of one release or of another.
export class RollingService implements Service {
  readonly proxy: RollingProxy
  readonly settings: Environment
  readonly urls: readonly string[]
  readonly standIn: StandIn
  readonly #ports: readonly number[]
  readonly #connection: pg.ClientConfig
  readonly #log: string
  readonly #servers: (ServerProcess | undefined)[] = []
  // Whose commands an operator runs.
  release: Installed

  private constructor(
    release: Installed,
    from: Pick<RollingService, 'proxy' | 'settings' | 'urls' | 'standIn'>,
    ports: readonly number[],
    connection: pg.ClientConfig,
    log: string,
  ) {
    this.release = release
    this.proxy = from.proxy
    this.settings = from.settings
    this.urls = from.urls
    this.standIn = from.standIn
    this.#ports = ports
    this.#connection = connection
    this.#log = log
  }

  static async start(release: Installed, folder: string, logs: string): Promise<RollingService> {
    const { connection } = await joinEmbeddedPostgres({
      dataDir: join(folder, 'database'),
      password: 'prove',
    })
    const { host, port, user, password, database } = connection
    const query = new URLSearchParams({ host, port: String(port), user, password })
    const ring = join(folder, 'ring.json')
    writeFileSync(ring, TEST_RING_FILE, { mode: 0o600 })
    const ports: number[] = []
    for (let i = 0; i < SERVERS; i += 1) ports.push(await freePort())
    const proxy = new RollingProxy(ports)
    const url = await proxy.listen()
    const standIns = await startStandIns(url, { nhn: false })
    const settings = {
      ...messagingSettings(standIns),
      DATABASE_URL: `postgresql:///${database}?${query}`,
      DATA_DIR: join(folder, 'operator'),
      KEY_RING_FILE: ring,
      LOG_LEVEL: 'info',
      INGOT_ROLES: 'api,worker',
      TRUSTED_PROXIES: '127.0.0.1',
    }
    const from = { proxy, settings, urls: [url], standIn: standIns.solapi }
    const service = new RollingService(release, from, ports, connection, logs)
    for (let i = 0; i < SERVERS; i += 1) await service.up(i, release)
    await service.#approveTemplates()
    return service
  }

  // Ready, and in.
  async up(i: number, release: Installed): Promise<void> {
    const server = await startServer(this.#settingsOf(i), release)
    void server.ended.then(() => appendFileSync(join(this.#log, `server-${i}.log`), server.output()))
    this.#servers[i] = server
    this.proxy.putIn(i)
  }

  // What a release says that refuses to start; undefined if it does not refuse.
  async refusal(i: number, release: Installed): Promise<string | undefined> {
    const server = await launchServer(this.#settingsOf(i), release)
    const isReady = async () => (await fetch(`${server.url}/readyz`).catch(() => undefined))?.status === 200
    let code: number | string | undefined
    void server.ended.then((ended) => {
      code = ended
    })
    for (;;) {
      if (code !== undefined) return server.output().trim().split('\n').at(-1) ?? ''
      if (await isReady()) {
        this.#servers[i] = server
        this.proxy.putIn(i)
        return undefined
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  async down(i: number): Promise<void> {
    await this.proxy.takeOut(i)
    const code = await this.#servers[i]!.kill('SIGTERM')
    if (code !== 0) this.proxy.failures.push(`server ${i} ended with ${code}`)
  }

  ingot(...args: string[]): Promise<CommandRun> {
    return runCommand(this.release, this.settings, args).done
  }

  async withSql<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client({ ...this.#connection })
    await client.connect()
    return work(client).finally(() => client.end())
  }

  #settingsOf(i: number): Environment {
    return {
      ...this.settings,
      DATA_DIR: join(this.settings.DATA_DIR!, '..', `data-${i}`),
      PORT: String(this.#ports[i]),
    }
  }

  async #approveTemplates(): Promise<void> {
    const handle = openDatabase({
      connection: { ...this.#connection },
      maxConnections: 1,
      onIdleError: () => {},
    })
    await approveTemplates({ database: handle })
    await handle.close()
  }
}
