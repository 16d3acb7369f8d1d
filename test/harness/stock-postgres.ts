import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { credentials } from '#app/embedded-postgres/account.ts'
import { prepareBinaries } from '#app/embedded-postgres/binaries.ts'
import { findLocation } from '#app/embedded-postgres/cluster-location.ts'
import { makeAuthority, makeCertificate } from './certificates.ts'
import { copyDataDir, PASSWORD } from './embedded-postgres.ts'
import { until } from './patience.ts'
import { freePort } from './process.ts'

// A PostgreSQL as an operator has it: on TCP, with TLS, and roles without special rights.
export interface StockPostgres {
  port: number
  // Files in PEM: its authority, another one, and a client's certificate for the role `certified`.
  files: { authority: string; stranger: string; clientCertificate: string; clientKey: string }
  asSuperuser(statement: string, database?: string): Promise<pg.QueryResultRow[]>
  // The address of a role; `query` begins with an ampersand or is empty.
  url(role: string, database: string, query?: string): string
}

export const ROLE_PASSWORD = 'a/plain role?'

const HBA = `
local     all all       scram-sha-256
hostssl   all certified all cert
hostnossl all encrypted all reject
host      all all       all scram-sha-256
`

export async function startStockPostgres(t: TestContext): Promise<StockPostgres> {
  const location = findLocation(await copyDataDir(t))!
  const folder = join(location.home, 'stock')
  mkdirSync(folder, { mode: 0o755 })
  // Roots' tests run it under an account of its own.
  function write(name: string, content: string, mode = 0o600): string {
    const path = join(folder, name)
    writeFileSync(path, content, { mode })
    if (location.account) chownSync(path, location.account.uid, location.account.gid)
    return path
  }
  const authority = makeAuthority('authority')
  const server = makeCertificate(authority, 'server', ['localhost'])
  const client = makeCertificate(authority, 'certified', [])
  const port = await freePort()
  const files = {
    authority: write('authority.pem', authority.certificate, 0o644),
    stranger: write('stranger.pem', makeAuthority('stranger').certificate, 0o644),
    clientCertificate: write('client.pem', client.certificate, 0o644),
    clientKey: write('client-key.pem', client.key),
  }
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1,::1',
    unix_socket_directories: '',
    fsync: 'off',
    hba_file: write('hba.conf', HBA),
    ssl: 'on',
    ssl_ca_file: files.authority,
    ssl_cert_file: write('server.pem', server.certificate),
    ssl_key_file: write('server-key.pem', server.key),
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const bin = join(prepareBinaries(location), 'postgres')
  const child = spawn(bin, ['-D', location.cluster, ...options], {
    ...credentials(location.account),
    cwd: '/',
    env: { LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGINT')
    await ended
  })
  const asSuperuser = async (statement: string, database = 'postgres') => {
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: 'ingot',
      password: PASSWORD,
      database,
      ssl: false,
    })
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end()
    }
  }
  await until(async () => {
    if (child.exitCode !== null) throw new Error(log)
    return asSuperuser('select 1').catch(() => undefined)
  }, 'the stock PostgreSQL starts')
  return {
    port,
    files,
    asSuperuser,
    url: (role, database, query = '') =>
      `postgresql://${role}:${encodeURIComponent(ROLE_PASSWORD)}@localhost:${port}/${database}?target_session_attrs=read-write${query}`,
  }
}
