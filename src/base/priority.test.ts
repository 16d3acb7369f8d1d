import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test } from 'node:test'

// In a process of its own: an ordinary account cannot take it back.
const PROGRAM = `
  const { readFile } = await import('node:fs/promises')
  const { readdirSync } = await import('node:fs')
  const { getPriority } = await import('node:os')
  const { setPriorityOfAllThreads } = await import('./priority.ts')
  await readFile('/proc/self/stat') // the threads that read files are there
  setPriorityOfAllThreads(19)
  console.log(JSON.stringify(readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)))))`

test('every thread of a process gives way', { skip: !existsSync('/proc/self/task') && 'not Linux' }, () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  const priorities: number[] = JSON.parse(stdout || `"${stderr}"`)
  assert.ok(priorities.length > 4, `${priorities.length} threads`)
  assert.deepEqual(
    priorities.filter((one) => one !== 19),
    [],
  )
})
