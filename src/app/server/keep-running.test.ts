import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unavailable } from '#base/db/errors.ts'
import { createLog } from '#base/log.ts'
import { until } from '#test/patience.ts'
import type { JobRunner, RunnerEnd } from './job-runner.ts'
import { keepRunning } from './keep-running.ts'

// The job library's side, played by hand.
function fakeRunner(id: string) {
  const over = Promise.withResolvers<RunnerEnd>()
  const state = { busy: false, ended: false }
  const runner: JobRunner = {
    id,
    over: over.promise,
    isBusy: () => state.busy,
    async end() {
      state.ended = true
    },
  }
  return { runner, state, ends: over.resolve }
}

function keep(begin: () => Promise<JobRunner>, isThere = true) {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  return { lines, worker: keepRunning({ log, begin, isDatabaseThere: async () => isThere, restartMs: 1 }) }
}

test('one that stands still is ended and replaced; while it has a job in hand its name is told too', async () => {
  const made: ReturnType<typeof fakeRunner>[] = []
  const { worker, lines } = keep(async () => {
    made.push(fakeRunner(`pool-${made.length + 1}`))
    return made.at(-1)!.runner
  })
  assert.equal(worker.status(), 'starting')
  await worker.started
  assert.deepEqual([worker.status(), worker.names()], ['running', ['pool-1']])
  made[0]!.state.busy = true
  made[0]!.ends({ why: 'standing still' })
  await until(() => made.length === 2)
  assert.ok(made[0]!.state.ended)
  await until(() => worker.status() === 'running')
  assert.deepEqual(worker.names(), ['pool-1', 'pool-2'])
  made[0]!.state.busy = false
  assert.deepEqual(worker.names(), ['pool-2'])
  assert.match(lines.join(''), /"event":"worker stands still"/)
  await worker.stop()
  assert.ok(made[1]!.state.ended)
})

test('a start that fails is tried again, and what failed is told', async () => {
  let tries = 0
  const { worker, lines } = keep(async () => {
    tries += 1
    if (tries < 4) throw new Unavailable('not yet')
    return fakeRunner('pool').runner
  })
  await until(() => worker.status() === 'running')
  assert.equal(tries, 4)
  assert.equal(lines.filter((line) => line.includes('"reason":"not yet"')).length, 3)
  await worker.stop()
})

for (const isThere of [true, false]) {
  test(`ten setbacks in a row are hopeless ${isThere ? 'if' : 'only if'} the database answers`, async () => {
    let tries = 0
    const { worker } = keep(async () => {
      tries += 1
      throw new Unavailable('never')
    }, isThere)
    let hopeless = false
    void worker.hopeless.then(() => {
      hopeless = true
    })
    await until(() => tries >= 15)
    assert.equal(hopeless, isThere)
    await worker.stop()
  })
}

test('a pause ends the runner in order, and another begins when it is over', async () => {
  const made: ReturnType<typeof fakeRunner>[] = []
  let reason: string | undefined
  const worker = keepRunning({
    log: createLog('silent'),
    pausedBy: () => reason,
    begin: async () => {
      made.push(fakeRunner(`pool-${made.length + 1}`))
      return made.at(-1)!.runner
    },
    isDatabaseThere: async () => true,
    restartMs: 1,
  })
  await until(() => worker.status() === 'running')
  reason = 'being moved'
  await until(() => worker.status() === 'paused')
  assert.ok(made[0]!.state.ended)
  assert.equal(made.length, 1)
  reason = undefined
  await until(() => worker.status() === 'running')
  assert.equal(made.length, 2)
  await worker.stop()
})
