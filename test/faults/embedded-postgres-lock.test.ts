import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { withFileLock } from '#base/file-lock.ts'
import { temporaryFolder } from '#test/process.ts'

const ROOT = resolve(import.meta.dirname, '../..')

// Takes the lock, says so, and keeps it until killed.
const HOLDER = `
  import { withFileLock } from '#base/file-lock.ts'
  await withFileLock(process.argv[1], () => {
    console.log('held')
    return new Promise((done) => setTimeout(done, 60_000))
  })`

function makePath(t: TestContext): string {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  return join(folder.path, 'test.lock')
}

async function startHolder(t: TestContext, path: string) {
  const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, path], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  return holder
}

test('one at a time within a process, also after an error', async (t) => {
  const path = makePath(t)
  let inside = 0
  const work = async (fails: boolean) => {
    inside += 1
    assert.equal(inside, 1)
    await sleep(5)
    inside -= 1
    if (fails) throw new Error('on purpose')
  }
  const all = [0, 1, 2, 3, 4, 5].map((i) => withFileLock(path, () => work(i % 2 === 0)))
  const statuses = (await Promise.allSettled(all)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 'fulfilled').length, 3)
})

test('held by another process until that is killed, with nothing left behind', async (t) => {
  const path = makePath(t)
  const holder = await startHolder(t, path)
  await assert.rejects(
    withFileLock(path, async () => {}, { deadlineMs: 100 }),
    /another process has held the lock .*test\.lock for 0\.1 s/,
  )
  await assert.rejects(
    withFileLock(path, async () => {}, { signal: AbortSignal.timeout(50) }),
    { name: 'AbortError' },
  )
  const waiting = withFileLock(path, async () => 'mine')
  holder.kill('SIGKILL')
  assert.equal(await waiting, 'mine')
  assert.deepEqual(readdirSync(join(path, '..')), ['test.lock'])
  assert.deepEqual([statSync(path).size, statSync(path).mode & 0o777], [0, 0o600])
})

test('a folder that does not exist is named', async (t) => {
  const path = join(makePath(t), 'below', 'test.lock')
  await assert.rejects(
    withFileLock(path, async () => {}),
    /cannot open the lock file .*below/,
  )
})
