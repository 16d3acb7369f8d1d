import { execFile, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type pg from 'pg'
import { openDatabase } from '#base/db/db.ts'
import type { StandIn } from '#stand-ins/messaging/server.ts'
import { approveTemplates, messagingSettings, startStandIns } from '#test/messaged-service.ts'
import { until } from '#test/patience.ts'
import { type Environment, isAlive, listProcesses, temporaryFolder } from '#test/process.ts'
import type { Service } from './service.ts'
import { withClient } from './sql.ts'

const SCRIPTS = fileURLToPath(new URL('../deploy/cluster/', import.meta.url))
const NODES = ['pg1', 'pg2', 'pg3'] as const
export type Node = (typeof NODES)[number]
const INGOT = ['api1', 'api2', 'worker1', 'worker2']
const BACKUPS = '--backups'

const run = promisify(execFile)
const ANSWER_MS = 2_000 // of Patroni; a node that is frozen or cut off never answers
const ROUNDS_MS = 5_000 // two rounds of Patroni, and some
const PORTS = 45 // one after another, as deploy/cluster/lib.sh gives them out

interface ClusterOptions {
  // By pgBackRest.
  backups?: boolean
}

// The cluster of deploy/cluster, as an operator brings it up, with a provider for its messages beside it.
export class ClusterService implements Service {
  readonly urls: readonly string[]
  readonly settings: Environment
  readonly standIn: StandIn
  readonly #folder: string
  readonly #port: number

  private constructor(folder: string, port: number, messaging: Environment, standIn: StandIn) {
    this.#folder = folder
    this.#port = port
    this.urls = [`http://127.0.0.1:${port}`]
    this.standIn = standIn
    this.settings = {
      ...messaging,
      DATABASE_URL_FILE: join(folder, 'ingot/database-url'),
      KEY_RING_FILE: join(folder, 'ingot/key-ring.json'),
      DATA_DIR: join(folder, 'ingot/command'),
    }
  }

  static async start(
    say: (text: string) => void,
    { backups = false }: ClusterOptions = {},
  ): Promise<ClusterService> {
    const port = await freePorts()
    const standIns = await startStandIns(`http://127.0.0.1:${port}`, { nhn: false })
    const messaging = messagingSettings(standIns)
    const { path } = temporaryFolder()
    const settings = join(path, 'settings')
    const lines = Object.entries({ ...messaging, LOG_LEVEL: 'warn' }).map(
      ([name, value]) => `${name}='${value}'\n`,
    )
    writeFileSync(settings, lines.join(''), { mode: 0o600 })
    const folder = join(path, 'cluster')
    say('bringing up the cluster')
    const options = ['--port', String(port), '--settings', settings, ...(backups ? [BACKUPS] : [])]
    await run(join(SCRIPTS, 'up'), [folder, ...options])
    const service = new ClusterService(folder, port, messaging, standIns.solapi)
    await service.#approveTemplates()
    return service
  }

  // What the machine lacks, in the words of deploy/cluster/up.
  static lacks({ backups = false }: ClusterOptions = {}): string | undefined {
    const words = ['--check', ...(backups ? [BACKUPS] : [])]
    const { status, stderr, error } = spawnSync(join(SCRIPTS, 'up'), words, { encoding: 'utf8' })
    return status === 0 ? undefined : (error?.message ?? stderr.trim())
  }

  async down(logsTo: string): Promise<void> {
    cpSync(join(this.#folder, 'log'), logsTo, { recursive: true })
    await this.stop()
  }

  stop(): Promise<unknown> {
    return run(join(SCRIPTS, 'down'), [this.#folder])
  }

  start(component: string): Promise<unknown> {
    return run(join(SCRIPTS, 'start'), [this.#folder, component])
  }

  // By its own word and with the lock in etcd. A node that does not answer is none.
  async primary(): Promise<Node | undefined> {
    const answers = await Promise.all(NODES.map((node) => this.#ask(node, '/primary')))
    return NODES.find((_, i) => answers[i] === 200)
  }

  // A primary, a synchronous standby and another one. Patroni has to know the synchronous one too: only that may take over.
  async isWhole(): Promise<boolean> {
    if (!(await this.primary())) return false
    const synchronous = await Promise.all(NODES.map((node) => this.#ask(node, '/synchronous')))
    if (synchronous.filter((status) => status === 200).length !== 1) return false
    const streaming = await this.#withSuperuser(async (client) => {
      const { rows } = await client.query(
        `select count(*)::int as n, count(*) filter (where sync_state = 'sync')::int as sync
           from pg_stat_replication where state = 'streaming'`,
      )
      return rows[0] as { n: number; sync: number }
    }).catch(() => undefined)
    return streaming?.n === 2 && streaming.sync === 1
  }

  // Twice, with some rounds of Patroni in between: what a node says of the synchronous standby is as old as its last round. A
  // primary that is lost before all nodes know of one is not replaced, so that nothing acknowledged is lost.
  async untilWhole(): Promise<void> {
    const look = () => until(() => this.isWhole(), 'the cluster has a primary and two standbys', 600_000)
    for (let isSettled = false; !isSettled; ) {
      await look()
      await sleep(ROUNDS_MS)
      isSettled = await this.isWhole()
    }
  }

  pidOf(component: string): number {
    return Number(readFileSync(join(this.#folder, 'run', `${component}.pid`), 'utf8').split(' ')[0])
  }

  // NaN while there is none.
  postmasterOf(node: Node): number {
    const file = join(this.#folder, node, 'data/postmaster.pid')
    return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : Number.NaN
  }

  // All that runs there but its cable: Patroni, the postmaster and what it has started.
  processesOf(node: Node): number[] {
    const postmaster = this.postmasterOf(node)
    const children = listProcesses().filter(({ parent }) => parent === postmaster)
    return [this.pidOf(node), postmaster, ...children.map(({ pid }) => pid)]
  }

  // As if every machine lost its power at once. The proxies stay: they hold nothing.
  async killEverything(): Promise<void> {
    const others = [...INGOT, 'etcd'].map((name) => this.pidOf(name))
    const all = [...others, ...NODES.flatMap((node) => this.processesOf(node))]
    for (const pid of all) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {} // it has just ended
    }
    await until(() => !all.some((pid) => isAlive(pid)), 'every process ends')
  }

  // All that the cluster stored, but its backups.
  loseData(): void {
    for (const path of ['etcd', ...NODES.map((node) => `${node}/data`)])
      rmSync(join(this.#folder, path), { recursive: true })
  }

  pgbackrest(...words: string[]): Promise<{ stdout: string }> {
    return run(join(SCRIPTS, 'pgbackrest'), [this.#folder, ...words])
  }

  restore(): Promise<unknown> {
    return run(join(SCRIPTS, 'restore'), [this.#folder])
  }

  // In order, as for maintenance. Patroni chooses the synchronous standby.
  async switchOver(from: Node): Promise<void> {
    const config = readFileSync(join(this.#folder, from, 'patroni.yml'), 'utf8')
    const password = /^ {4}password: (\w+)$/m.exec(config)![1]!
    const answer = await fetch(`${this.#patroni(from)}/switchover`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`patroni:${password}`).toString('base64')}` },
      body: JSON.stringify({ leader: from }),
    })
    if (answer.status !== 200) throw new Error(`Patroni refused to switch over: ${await answer.text()}`)
  }

  withSql<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    return withClient({ connectionString: this.#databaseUrl }, work)
  }

  get #databaseUrl(): string {
    return readFileSync(this.settings.DATABASE_URL_FILE!, 'utf8')
  }

  #withSuperuser<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const password = readFileSync(join(this.#folder, 'superuser-password'), 'utf8')
    const host = {
      host: '127.0.0.1',
      port: this.#port + 1,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    }
    return withClient({ ...host, user: 'postgres', password, database: 'postgres' }, work)
  }

  async #ask(node: Node, path: string): Promise<number | undefined> {
    const answer = await fetch(this.#patroni(node) + path, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(
      () => undefined,
    )
    await answer?.body?.cancel()
    return answer?.status
  }

  #patroni(node: Node): string {
    return `http://127.0.0.1:${this.#port + 10 * Number(node.slice(2)) + 3}`
  }

  async #approveTemplates(): Promise<void> {
    const connection = { connectionString: this.#databaseUrl }
    const database = openDatabase({ connection, maxConnections: 1, onIdleError: () => {} })
    await approveTemplates({ database })
    await database.close()
  }
}

// Below the ports that the system gives to outgoing connections, so that none of them takes one meanwhile.
async function freePorts(): Promise<number> {
  for (let base = 12_000 + (process.pid % 300) * 50; ; base = 12_000 + ((base + 50) % 15_000)) {
    const all = Array.from({ length: PORTS }, (_, i) => isFree(base + i))
    if ((await Promise.all(all)).every(Boolean)) return base
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const server = createServer()
    server.once('error', () => answer(false))
    server.listen(port, '127.0.0.1', () => server.close(() => answer(true)))
  })
}
