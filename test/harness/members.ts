import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterTest } from './at-end.ts'
import { PASSWORD } from './embedded-postgres.ts'

// Processes of their own that use the embedded PostgreSQL of a data folder.
const ROOT = resolve(import.meta.dirname, '../..')

// Joins, says so, and leaves when its standard input ends.
const MEMBER = `
  import { joinEmbeddedPostgres } from '#app/embedded-postgres/index.ts'
  const [dataDir, password] = process.argv.slice(1)
  const postgres = await joinEmbeddedPostgres({ dataDir, password, onEvent: (event) => console.log(event) })
  process.stdin.resume().once('end', () => postgres.leave())`

interface Options {
  cwd?: string
  uid?: number
  gid?: number
  env?: NodeJS.ProcessEnv
  /** A program that runs Node, as in namespaces.ts. */
  node?: string
}

export interface Member {
  child: ChildProcess
  /** The first event: started or joined. */
  event: Promise<string>
  leave(): Promise<void>
}

export function startMember(dataDir: string, options: Options = {}): Member {
  const { node = process.execPath, ...how } = options
  const child = spawn(node, ['--input-type=module', '-e', MEMBER, dataDir, PASSWORD], {
    cwd: ROOT,
    ...how,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // One that a failed test left would keep its file from ending.
  afterTest(() => child.kill('SIGKILL'))
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const exited = once(child, 'close')
  const event = Promise.race([
    once(createInterface(child.stdout), 'line').then(([line]) => String(line)),
    exited.then(([code]) => assert.fail(`the member ended with ${code}: ${errors}`)),
  ])
  const leave = async () => {
    child.stdin.end()
    assert.deepEqual(await exited, [0, null], errors)
  }
  return { child, event, leave }
}

export async function killMember({ child }: Pick<Member, 'child'>): Promise<void> {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

export function canReachCheckout({ uid, gid }: { uid: number; gid: number }): boolean {
  const script = 'test -r "$1/src/base/file-lock.ts" && "$2" --version'
  return (
    spawnSync('/bin/sh', ['-c', script, 'sh', ROOT, process.execPath], { uid, gid, cwd: '/' }).status === 0
  )
}
