import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { unprivilegedAccounts } from '#app/embedded-postgres/account.ts'
import { until } from './patience.ts'
import { temporaryFolder } from './process.ts'

// The oldest PostgreSQL we promise to run on, where the machine has it (Debian's place for it).
const BINARIES = '/usr/lib/postgresql/15/bin'
export const noPostgres15 = existsSync(join(BINARIES, 'postgres'))
  ? false
  : 'PostgreSQL 15 is not on this machine'

export interface Postgres15 {
  url: string
  log(): string
  // Another database with what a dump of this one holds; its address.
  copy(): string
  stop(): Promise<void>
}

// Where no locale is set it would be SQL_ASCII, which the service refuses.
const LOCALE = ['--encoding', 'UTF8', '--locale', 'C']

// As it comes, but for what a test has no use for, on a socket of its own.
export async function startPostgres15(
  settings: Record<string, string> = {},
  environment: Record<string, string> = {},
): Promise<Postgres15> {
  const folder = temporaryFolder()
  const home = join(folder.path, 'pg')
  mkdirSync(home, { mode: 0o700 })
  const account = process.geteuid?.() === 0 ? unprivilegedAccounts()[0] : undefined
  if (account) chownSync(home, account.uid, account.gid)
  const as = { cwd: '/', ...(account ? { uid: account.uid, gid: account.gid } : {}) }
  const data = join(home, 'data')
  execFileSync(join(BINARIES, 'initdb'), ['-D', data, '-U', 'ingot', '-A', 'trust', '--no-sync', ...LOCALE], {
    ...as,
    stdio: 'ignore',
  })
  const all = { listen_addresses: '', fsync: 'off', ...settings }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const postgres = spawn(join(BINARIES, 'postgres'), ['-D', data, '-k', home, ...options], {
    ...as,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  postgres.stderr.on('data', (chunk) => {
    log += chunk
  })
  const ended = once(postgres, 'close')
  const url = `postgresql:///postgres?${new URLSearchParams({ host: home, user: 'ingot' })}`
  await until(() => isReachable(url), 'PostgreSQL 15 starts')
  return {
    url,
    log: () => log,
    copy() {
      const other = url.replace('/postgres?', '/restored?')
      const psql = (to: string, input: string | Buffer) =>
        execFileSync(join(BINARIES, 'psql'), ['-v', 'ON_ERROR_STOP=1', to], {
          input,
          stdio: ['pipe', 'ignore', 'inherit'],
        })
      psql(url, 'create database restored')
      psql(other, execFileSync(join(BINARIES, 'pg_dump'), [url], { maxBuffer: 2 ** 26 }))
      return other
    },
    async stop() {
      postgres.kill('SIGINT')
      await ended
      folder.remove()
    },
  }
}

async function isReachable(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  const reached = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => {})
  return reached
}
