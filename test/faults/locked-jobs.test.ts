import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '#base/log.ts'
import { unlockJobs } from '#jobs/unlock-jobs.ts'
import { until } from '#test/patience.ts'
import { call, startService } from '#test/service.ts'

// What a killed worker had in hand, and how old its last sign of life is.
const service = await startService()
const { pool } = service.database
const log = createLog('silent')

interface Case {
  name: string
  lockedSeconds: number
  // The process that has it; undefined: its row is gone.
  silentSeconds?: number
  // As it announces itself; null: a release before this one.
  workers?: readonly string[] | null
  unlocked: boolean
}

const WORKER = 'pool-of-this-test'
const CASES: Case[] = [
  {
    name: 'killed five minutes ago',
    lockedSeconds: 600,
    silentSeconds: 310,
    workers: [WORKER],
    unlocked: true,
  },
  { name: 'killed so long ago that its row is gone', lockedSeconds: 7_200, unlocked: true },
  {
    name: 'alive, with a job of hours',
    lockedSeconds: 7_200,
    silentSeconds: 1,
    workers: [WORKER],
    unlocked: false,
  },
  {
    name: 'silent for a moment',
    lockedSeconds: 600,
    silentSeconds: 200,
    workers: [WORKER],
    unlocked: false,
  },
  {
    name: 'one that has just taken it, and is not known yet',
    lockedSeconds: 5,
    unlocked: false,
  },
  {
    name: 'its process lives, and has another worker in its place',
    lockedSeconds: 600,
    silentSeconds: 1,
    workers: ['pool-after-it'],
    unlocked: true,
  },
  {
    name: 'an earlier release lives, whose jobs cannot be told from it',
    lockedSeconds: 600,
    silentSeconds: 1,
    workers: null,
    unlocked: false,
  },
  {
    name: 'an earlier release that is gone itself',
    lockedSeconds: 600,
    silentSeconds: 310,
    workers: null,
    unlocked: true,
  },
]

for (const { name, lockedSeconds, silentSeconds, workers = null, unlocked } of CASES) {
  test(`a locked job: ${name}: ${unlocked ? 'unlocked' : 'left alone'}`, async () => {
    await pool.query(`delete from graphile_worker._private_jobs`)
    await pool.query(`select graphile_worker.add_job('forget_old_keys')`)
    await pool.query(
      `update graphile_worker._private_jobs
          set locked_by = $1, locked_at = now() - $2 * interval '1 second', attempts = 1`,
      [WORKER, lockedSeconds],
    )
    await pool.query('delete from process where keys = $1', [['of this test']])
    if (silentSeconds !== undefined) {
      await pool.query(
        `insert into process (id, keys, workers, seen_at)
         values (gen_random_uuid(), $1, $2, now() - $3 * interval '1 second')`,
        [['of this test'], workers, silentSeconds],
      )
    }
    await unlockJobs({ database: service.database, log })
    const { rows } = await pool.query('select locked_by from graphile_worker.jobs')
    assert.deepEqual(rows, [{ locked_by: unlocked ? null : WORKER }])
  })
}

test('a job that was given up goes after a day, and no other one', async () => {
  await pool.query(`delete from graphile_worker._private_jobs`)
  const given = [
    ['given up, old', 25, '25 hours'],
    ['given up, new', 25, '23 hours'],
    ['waits, old', 24, '25 hours'],
  ] as const
  for (const [key, attempts, age] of given) {
    await pool.query(`select graphile_worker.add_job('forget_old_keys', job_key => $1)`, [key])
    await pool.query(
      'update graphile_worker._private_jobs set attempts = $2, run_at = now() - $3::interval where key = $1',
      [key, attempts, age],
    )
  }
  await unlockJobs({ database: service.database, log })
  const { rows } = await pool.query('select key from graphile_worker.jobs order by key')
  assert.deepEqual(rows, [{ key: 'given up, new' }, { key: 'waits, old' }])
})

test('a worker unlocks what others left when it starts, and does it; its own name is announced', async () => {
  await pool.query(`delete from graphile_worker._private_jobs`)
  await pool.query('delete from process where keys = $1', [['of this test']])
  await pool.query(`select graphile_worker.add_job('forget_old_keys')`)
  await pool.query(
    `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - interval '10 minutes'`,
    [WORKER],
  )
  const worker = await startService({ beside: service, environment: { INGOT_ROLES: 'worker' } })
  await until(async () => {
    const { rows } = await pool.query(
      `select from graphile_worker.jobs where task_identifier = 'forget_old_keys'`,
    )
    return rows.length === 0
  })
  assert.equal((await call(`${worker.url}/readyz`)).body.worker, 'running')
  await until(async () => {
    const { rows } = await pool.query(
      `select from process where cardinality(workers) = 1 and workers[1] like 'pool-%'`,
    )
    return rows.length === 1
  })
})
