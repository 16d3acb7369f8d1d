import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type EmbeddedPostgres, joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
import type { Connection } from '#app/embedded-postgres/member-connection.ts'
import { readRecord } from '#app/embedded-postgres/placement-record.ts'
import { parseKeyRing } from '#base/crypto/key-ring.ts'
import { createVault, type Vault } from '#base/crypto/vault.ts'
import { isStopping, run, start, stop } from './children.ts'
import { type Meter, meterOf } from './cpu.ts'
import type { GivenDatabase } from './given-database.ts'

// A real installation of its own: the `serve` command with its embedded PostgreSQL, in a folder that goes; or on a
// database that was given.
const MAIN = fileURLToPath(new URL('../src/main.js', import.meta.url))
const POLL_MS = 5
const SETTINGS =
  /^(?:DATABASE_URL|INGOT_MODE|INGOT_PROCESSES|KEY_RING_FILE|LOG_LEVEL|HOST|PUBLIC_URL|TRUSTED_PROXIES|MESSAGING|SUPPORT_CONTACT)$/
const START_MS = 600_000 // the first start builds the pages, on a machine that may have other work

// The words of `npm start`, so that what is measured is what people run.
function startWords(): string[] {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return manifest.scripts.start.split(' ')
}
const startFlags = () => startWords().filter((word) => word.startsWith('--'))
const startVariables = () =>
  Object.fromEntries(
    startWords().flatMap((word) => {
      const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(word) ?? []
      return name === undefined ? [] : [[name, value]]
    }),
  )

export interface Serving {
  roles?: 'api' | 'api,worker'
  settings?: Record<string, string>
  // More of Node's own.
  flags?: readonly string[]
}

export class Installation {
  // Not made beforehand: the server gives it the mode that its database's account can pass through.
  readonly dataDir = join(tmpdir(), `ingot-bench-${randomBytes(6).toString('hex')}`)
  #server: ChildProcess | undefined
  readonly #others: ChildProcess[] = []
  #database: EmbeddedPostgres | undefined
  readonly #given: GivenDatabase | undefined
  #second: Installation | undefined
  port = 0

  constructor(given?: GivenDatabase) {
    this.#given = given
  }

  // One more, to be compared with this one: on the server of this one's database if that was given. It goes with this one.
  async second(): Promise<Installation> {
    this.#second ??= new Installation(await this.#given?.second())
    return this.#second
  }

  // Before anything is started on it.
  async prepare(): Promise<void> {
    await this.#given?.takeOver()
  }

  // Seconds from the command to the first 200 of /readyz. At the same port each time.
  async startServer({ roles = 'api', settings = {}, flags = [] }: Serving = {}): Promise<number> {
    if (this.port === 0) this.port = await freePort()
    const began = performance.now()
    this.#server = this.#spawn(this.port, { INGOT_ROLES: roles, ...settings }, flags)
    await untilReady(this.#server, this.port)
    return (performance.now() - began) / 1000
  }

  // One more process on the same database, until the first one is stopped. Gives its port.
  async startBeside(): Promise<number> {
    const port = await freePort()
    const server = this.#spawn(port, { INGOT_ROLES: 'api' })
    this.#others.push(server)
    await untilReady(server, port)
    return port
  }

  #spawn(port: number, settings: Record<string, string>, flags: readonly string[] = []): ChildProcess {
    const server = start(process.execPath, [...startFlags(), ...flags, MAIN, 'serve'], {
      env: { ...this.#environment(), ...startVariables(), PORT: String(port), ...settings },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    server.once('exit', (code, signal) => {
      if (!isStopping(server)) process.stderr.write(`the server ended by itself: ${signal ?? code}\n`)
    })
    return server
  }

  async stopServer(): Promise<void> {
    await Promise.all([...this.#others.splice(0), ...(this.#server ? [this.#server] : [])].map(stop))
    this.#server = undefined
  }

  get serverPid(): number {
    return this.#server!.pid!
  }

  // CPU time of every server process here, and of the database.
  async meter(): Promise<Meter> {
    return meterOf(await this.joinDatabase(), () =>
      [...(this.#server ? [this.#server] : []), ...this.#others].map(({ pid }) => pid!),
    )
  }

  // The command line beside the running server.
  async command(...args: string[]): Promise<string> {
    return (await run(process.execPath, [MAIN, ...args], this.#environment())).output
  }

  // Seals and indexes as the server does: an installation that has never changed its keys.
  vault(): Vault {
    const ring = parseKeyRing(JSON.stringify(this.#secrets().keyRing))
    const { encryption, index } = ring
    return createVault(ring, {
      epoch: 0,
      encryption: encryption.current,
      index: index.current,
      nextIndex: null,
    })
  }

  #secrets() {
    return JSON.parse(readFileSync(join(this.dataDir, 'secrets.json'), 'utf8'))
  }

  // This process among the members of the database: it stays up until leaveDatabase().
  async joinDatabase(): Promise<Connection> {
    if (this.#given) {
      await this.#given.addMissingFunctions()
      return this.#given.connection
    }
    this.#database ??= await joinEmbeddedPostgres({
      dataDir: this.dataDir,
      password: this.#secrets().databasePassword,
    })
    return this.#database.connection
  }

  async leaveDatabase(): Promise<void> {
    await this.#database?.leave()
    this.#database = undefined
  }

  async remove(): Promise<void> {
    await this.#second?.remove()
    await this.stopServer()
    await this.leaveDatabase()
    await this.#given?.empty()
    // As root the cluster may have had to go elsewhere.
    const home = readRecord(this.dataDir)?.home
    if (home && isAbsolute(home)) rmSync(home, { recursive: true, force: true })
    rmSync(this.dataDir, { recursive: true, force: true })
  }

  // Whatever is set where the benchmark is started, the server runs with its defaults.
  #environment(): NodeJS.ProcessEnv {
    const rest = Object.entries(process.env).filter(([name]) => !SETTINGS.test(name))
    const given = this.#given ? { DATABASE_URL: this.#given.url } : {}
    return { ...Object.fromEntries(rest), ...given, DATA_DIR: this.dataDir }
  }
}

async function untilReady(server: ChildProcess, port: number): Promise<void> {
  const began = performance.now()
  while (!(await isReady(port))) {
    const ended = server.exitCode ?? server.signalCode
    if (ended !== null) throw new Error(`the server ended with ${ended}`)
    if (performance.now() - began > START_MS) throw new Error('the server does not get ready')
    await sleep(POLL_MS)
  }
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
  await answer?.arrayBuffer()
  return answer?.status === 200
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}
