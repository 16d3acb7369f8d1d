import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startJobRunner } from '#app/server/job-runner.ts'
import { until } from '#test/patience.ts'
import { startService } from '#test/service.ts'

const service = await startService()
const { pool } = service.database

test('a job is told whether it was tried before', async () => {
  const tries: boolean[] = []
  const runner = await startJobRunner({
    connection: service.on.connection,
    concurrency: 2,
    crontab: '',
    firstJobs: ['work'],
    priority: 0,
    onLost: () => {},
    tasks: {
      async work(_payload, isRetry) {
        tries.push(isRetry)
        if (!isRetry) throw new Error('the first time')
      },
    },
  })
  try {
    await until(async () => tries.length === 1)
    // Rather than when the library would try it again. It notes the failure a moment after the job ended.
    await until(async () => {
      await pool.query(
        'update graphile_worker._private_jobs set run_at = now() where attempts > 0 and locked_at is null',
      )
      return tries.length === 2
    })
    assert.deepEqual(tries, [false, true])
  } finally {
    await runner.end(5_000)
  }
})
