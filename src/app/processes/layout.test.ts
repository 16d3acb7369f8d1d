import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { readConfig } from '#app/settings/config.ts'
import { argumentsOf, isAlone, mostProcesses, type Part, partOf, poolSize, releaseOf } from './layout.ts'

const api = (of: number): Part => ({ kind: 'api', number: 1, of, first: false })
const worker: Part = { kind: 'worker', number: 1, of: 2, first: false }

test('one process does everything only where there is no second to start', () => {
  const alone = (roles: string, processes: string) =>
    isAlone(readConfig({ INGOT_ROLES: roles, INGOT_PROCESSES: processes }))
  assert.deepEqual(
    ['0', '1', '2'].map((count) => alone('api,worker', count)),
    [true, false, false],
  )
  assert.deepEqual(
    ['0', '1', '2'].map((count) => alone('api', count)),
    [true, true, false],
  )
  assert.deepEqual(
    ['0', '1', '2'].map((count) => alone('worker', count)),
    [true, true, true],
  )
  assert.equal(readConfig({ INGOT_PROCESSES: 'auto' }).processes, availableParallelism())
  assert.equal(readConfig({}).processes, 1)
  const live = readConfig({ INGOT_MODE: 'live', KEY_RING_FILE: 'ring.json' })
  assert.equal(live.processes, availableParallelism())
})

test('a process knows its part by its command line', () => {
  for (const part of [api(4), worker, { ...api(2), first: true }]) {
    const words = argumentsOf(part, '1.2.3').slice(1)
    assert.deepEqual([partOf(words), releaseOf(words)], [part, '1.2.3'])
  }
})

test('the connections of all processes fit into what PostgreSQL allows', () => {
  assert.deepEqual(
    [1, 2, 5, 8, 64].map((of) => poolSize(api(of))),
    [12, 12, 12, 7, 4],
  )
  // By default 100, of which three are for superusers; and the embedded one's 200.
  for (const allowed of [97, 197]) {
    for (let of = 2; of <= mostProcesses(allowed); of += 1) {
      // A pool and the process's membership; the worker's jobs take 6, their library 8.
      const taken = of * (poolSize(api(of)) + 1) + poolSize(worker) + 1 + 6 + 8
      assert.ok(taken < allowed, `${of} processes take ${taken} of ${allowed}`)
    }
  }
  assert.deepEqual([97, 197, 20].map(mostProcesses), [14, 34, 1])
})
