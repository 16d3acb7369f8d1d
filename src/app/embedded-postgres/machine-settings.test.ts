import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMachine, settingsFor } from './machine-settings.ts'

const GB = 1024 ** 3

const CASES = [
  // memory, cores, shared_buffers, effective_cache_size, maintenance_work_mem, parallel, max_wal_size
  [0.125, 1, '32MB', '128MB', '16MB', '0', '1GB'],
  [0.5, 1, '64MB', '256MB', '16MB', '0', '1GB'],
  [2, 2, '256MB', '1024MB', '64MB', '0', '4GB'],
  [8, 4, '512MB', '4096MB', '256MB', '2', '4GB'],
  [512, 64, '512MB', '65536MB', '256MB', '2', '4GB'],
] as const

for (const [memory, cores, buffers, cache, maintenance, parallel, wal] of CASES) {
  test(`PostgreSQL on ${memory} GB and ${cores} cores`, () => {
    const settings = settingsFor({ memoryBytes: memory * GB, cores })
    assert.equal(settings.shared_buffers, buffers)
    assert.equal(settings.effective_cache_size, cache)
    assert.equal(settings.maintenance_work_mem, maintenance)
    assert.equal(settings.max_parallel_workers_per_gather, parallel)
    assert.equal(settings.max_wal_size, wal)
  })
}

test('this machine has memory and a core', () => {
  const { memoryBytes, cores } = readMachine()
  assert.ok(Number.isFinite(memoryBytes) && memoryBytes > 0 && cores >= 1)
})
