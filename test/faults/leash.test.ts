import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '#test/patience.ts'
import { temporaryFolder } from '#test/process.ts'

// Whatever a test started ends with its file, however that ends (test/harness/leash.ts).
const FILE = fileURLToPath(new URL('leashed/test-file.ts', import.meta.url))
const SETUP = fileURLToPath(new URL('../harness/global-setup.ts', import.meta.url))
const RUNNER = ['--test', '--test-timeout=3600000', `--test-global-setup=${SETUP}`]

interface Report {
  started: Record<'file' | 'server' | 'postgres', number>
  folder: string
  socket: string
}

// In a container without an init a dead process stays as Z, since its parent was killed and nobody else waits for it.
function lives(pid: number): boolean {
  return /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim())
}

async function run(t: TestContext, args: string[], end: 'hangs' | 'fails'): Promise<[ChildProcess, Report]> {
  const folder = temporaryFolder()
  const path = join(folder.path, 'report.json')
  // A runner inside of a test would take itself for a part of the outer one.
  const { NODE_TEST_CONTEXT, ...environment } = process.env
  const child = spawn(process.execPath, args, {
    env: { ...environment, LEASHED_REPORT: path, LEASHED_END: end },
    stdio: 'ignore',
  })
  t.after(() => {
    child.kill('SIGKILL')
    folder.remove()
  })
  const report = await until(
    () => existsSync(path) && (JSON.parse(readFileSync(path, 'utf8')) as Report),
    'the file has started its server',
  )
  return [child, report]
}

async function assertGone({ started, folder }: Report): Promise<void> {
  for (const [name, pid] of Object.entries(started)) await until(() => !lives(pid), `no ${name} is left`)
  await until(() => !existsSync(folder), 'its folder is removed')
}

test('a file that is killed: its server and its PostgreSQL end', async (t) => {
  const [child, report] = await run(t, [FILE], 'hangs')
  assert.ok(Object.values(report.started).every(lives))
  child.kill('SIGKILL')
  await assertGone(report)
})

test('a file that fails', async (t) => {
  const [, report] = await run(t, [FILE], 'fails')
  await assertGone(report)
})

test('a runner that is killed: its files end, and all that they started', async (t) => {
  const [child, report] = await run(t, [...RUNNER, FILE], 'hangs')
  assert.ok(Object.values(report.started).every(lives))
  assert.ok(existsSync(report.socket))
  child.kill('SIGKILL')
  await assertGone(report)
  await until(() => !existsSync(report.socket), 'no PostgreSQL of the runner is left')
})
