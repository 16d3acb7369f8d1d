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
    const settings = settingsFor({ memoryBytes: memory * GB, cores, freeBytes: 100 * GB })
    assert.equal(settings.shared_buffers, buffers)
    assert.equal(settings.effective_cache_size, cache)
    assert.equal(settings.maintenance_work_mem, maintenance)
    assert.equal(settings.max_parallel_workers_per_gather, parallel)
    assert.equal(settings.max_wal_size, wal)
  })
}

test('an archive that fails holds back a quarter of a small disk at most', () => {
  const kept = (memory: number, free: number) =>
    settingsFor({ memoryBytes: memory * GB, cores: 2, freeBytes: free * GB }).max_slot_wal_keep_size
  assert.deepEqual(
    [kept(8, 100), kept(8, 8), kept(8, 0.1), kept(0.5, 100), kept(0.5, 2)],
    ['4096MB', '2048MB', '256MB', '1024MB', '512MB'],
  )
})

test('this machine has memory, a core and a disk', () => {
  const { memoryBytes, cores, freeBytes } = readMachine(import.meta.dirname)
  assert.ok(Number.isFinite(memoryBytes) && memoryBytes > 0 && cores >= 1 && freeBytes >= 0)
})
