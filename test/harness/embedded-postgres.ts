import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { TestContext } from 'node:test'
import { Client } from 'pg'
import { EmbeddedPostgresError, joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
import { atEnd } from './at-end.ts'
import { copyOwned } from './installed-folder.ts'
import { until } from './patience.ts'

// Data folders with an embedded PostgreSQL of their own, looked at from outside.
export const PASSWORD = 'correct-horse-battery-staple'

/** An empty DATA_DIR; whatever a test leaves of it, running or not, goes when the test ends. */
export function makeDataDir(t: TestContext, options: { mode?: number; below?: string } = {}): string {
  const { mode = 0o711, below = '' } = options // root's account may pass through 711
  const folder = mkdtempSync(join(tmpdir(), 'ingot-test-'))
  chmodSync(folder, mode)
  const dataDir = join(folder, below, 'data')
  mkdirSync(dataDir, { recursive: true })
  chmodSync(dataDir, mode)
  t.after(async () => {
    await cleanUp(dataDir)
    rmSync(folder, { recursive: true, force: true })
  })
  return dataDir
}

let template: string | undefined
atEnd(() => template && rmSync(dirname(template), { recursive: true, force: true }))

/** A DATA_DIR with a database that is not running, in a fraction of the time it takes to make one. */
export async function copyDataDir(t: TestContext): Promise<string> {
  const dataDir = makeDataDir(t)
  if (!template) {
    template = join(mkdtempSync(join(tmpdir(), 'ingot-test-')), 'data')
    await (await enter(dataDir)).leave()
    const record = join(dataDir, 'embedded-postgres.json')
    writeFileSync(record, JSON.stringify({ ...recordOf(dataDir), socketDir: null }))
    copyOwned(dataDir, template)
  } else {
    copyOwned(`${template}/.`, dataDir)
  }
  return dataDir
}

async function cleanUp(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, 'embedded-postgres.json'))) return
  if (existsSync(join(clusterOf(dataDir), 'postmaster.pid'))) {
    const pid = postmasterOf(dataDir)
    if (isPostgres(pid)) {
      process.kill(pid, 'SIGQUIT')
      await until(() => !isPostgres(pid))
    }
  }
  const { home, socketDir } = recordOf(dataDir)
  if (socketDir) rmSync(socketDir, { recursive: true, force: true })
  if (!isAbsolute(home)) return
  rmSync(home, { recursive: true, force: true })
  if (existsSync('/var/lib/ingot') && readdirSync('/var/lib/ingot').length === 0) rmdirSync('/var/lib/ingot')
}

export function enter(dataDir: string, events: string[] = [], password = PASSWORD) {
  return joinEmbeddedPostgres({ dataDir, password, onEvent: (event) => events.push(event) })
}

export function recordOf(dataDir: string): { home: string; socketDir: string | null } {
  return JSON.parse(readFileSync(join(dataDir, 'embedded-postgres.json'), 'utf8'))
}

export function clusterOf(dataDir: string): string {
  return resolve(dataDir, recordOf(dataDir).home, 'data')
}

export function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(clusterOf(dataDir), 'postmaster.pid'), 'utf8').split('\n')[0])
}

export function ps(pid: number, column: string): string {
  return spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
}

export function isPostgres(pid: number): boolean {
  return ps(pid, 'comm').endsWith('postgres') && !ps(pid, 'stat').startsWith('Z')
}

export function isStopped(dataDir: string): boolean {
  return !existsSync(join(clusterOf(dataDir), 'postmaster.pid'))
}

export async function ask(
  connection: ConstructorParameters<typeof Client>[0],
  sql: string,
): Promise<unknown> {
  const client = new Client(connection)
  await client.connect()
  try {
    return Object.values((await client.query(sql)).rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

export function refusal(pattern: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof EmbeddedPostgresError)
    assert.match(error.message, pattern)
    return true
  }
}
