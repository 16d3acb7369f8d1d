import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandOf, type ProofRun, readRuns, withRun } from './doc.ts'
import { readOptions } from './options.ts'
import { PROOFS } from './proofs.ts'

const RUN: ProofRun = {
  ...{ name: 'kill-loop', seed: 1, count: 1_000, duration: 0, acts: 100, unknown: 0, faults: 1_000 },
  ...{ violations: [], longestOutageMs: 1, seconds: 1, machine: 'one', date: '2026-01-01' },
}

test('a run is kept in the place of the last one of its size, and of no other', () => {
  const short = { ...RUN, count: 7 }
  const again = { ...RUN, count: 7, seed: 2 }
  assert.deepEqual(withRun([RUN], short), [short, RUN])
  assert.deepEqual(withRun([short, RUN], again), [again, RUN])
  const upgrade = { ...RUN, name: 'upgrade', from: 'v1' }
  assert.deepEqual(withRun([upgrade], { ...upgrade, from: 'v2' }).length, 2)
})

test('the command of a run can be given again', () => {
  const upgrade = { ...RUN, name: 'upgrade', duration: 60, leastActs: 500, from: 'v1' }
  for (const run of [upgrade, ...readRuns()]) {
    const { name, seed, count, duration, leastActs, from } = readOptions(commandOf(run).split(' '), PROOFS)
    assert.deepEqual(
      [name, seed, count, duration, leastActs, from],
      [...[run.name, run.seed, run.count, run.duration], run.leastActs ?? 0, run.from],
    )
  }
})
