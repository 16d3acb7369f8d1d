import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { commandOf, type ProofRun, readRuns, withRun } from './doc.ts'
import { readOptions, refusals, usage } from './options.ts'
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

test('--duration counts for every proof, or is refused by name with the reason', () => {
  const refused = Object.entries(PROOFS).filter(([name, { takesFrom }]) => {
    const words = [name, '--duration', '60', ...(takesFrom ? ['--from', 'v1'] : [])]
    try {
      assert.equal(readOptions(words, PROOFS).duration, 60)
      return false
    } catch (error) {
      assert.match((error as Error).message, new RegExp(`^${name} takes no --duration: .{20,}`))
      return true
    }
  })
  assert.deepEqual(
    refused.map(([name]) => name),
    ['image'],
  )
  assert.throws(() => readOptions(['image', '--acts', '5'], PROOFS), /^Error: image takes no --acts: /)
})

test('--help and the page name what is refused', () => {
  const page = readFileSync(new URL('../docs/proof.md', import.meta.url), 'utf8').replaceAll('`', '')
  const texts = refusals(PROOFS).map(({ text }) => text)
  assert.ok(texts.length > 0)
  for (const text of texts) for (const where of [usage(PROOFS), page]) assert.ok(where.includes(text), text)
})
