import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { unprivilegedAccounts } from '#app/embedded-postgres/account.ts'
import { until } from './patience.ts'
import { freePort, temporaryFolder } from './process.ts'

// Debian's place for it.
const PROGRAM = '/usr/sbin/pgbouncer'
export const noPgbouncer = existsSync(PROGRAM) ? false : 'PgBouncer is not on this machine'

// PgBouncer as it comes, in front of a server on this machine. Returns its port.
export async function startPgbouncer(
  t: TestContext,
  mode: 'session' | 'transaction',
  server: { port: number; user: string; password: string },
): Promise<number> {
  const folder = temporaryFolder()
  const port = await freePort()
  const [users, config] = [join(folder.path, 'users'), join(folder.path, 'pgbouncer.ini')]
  writeFileSync(users, `"${server.user}" "${server.password}"\n`, { mode: 0o644 })
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    pool_mode: mode,
    default_pool_size: 40,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const databases = `[databases]\n* = host=127.0.0.1 port=${server.port}\n`
  writeFileSync(config, `${databases}[pgbouncer]\n${lines.join('\n')}\n`, { mode: 0o644 })
  const account = process.geteuid?.() === 0 ? unprivilegedAccounts()[0] : undefined
  const child = spawn(PROGRAM, [config], {
    cwd: '/',
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    folder.remove()
  })
  await until(() => isListening(port), 'PgBouncer listens')
  return port
}

function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
