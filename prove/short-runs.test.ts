import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryFolder } from '#test/process.ts'
import { PROOFS } from './proofs.ts'

// Proofs with a scene of their own, as small as it can be: few acts, and each server in one process.
const SCALE = { members: 1, memberRestMs: 500, perSecond: 10, restMs: 100, processes: '0' } as const
const SHORT = { 'rolling-restart': 2, restore: 1, 'disk-full': 2, 'clock-jumps': 2 }

for (const [name, count] of Object.entries(SHORT)) {
  const { what, lacks, run } = PROOFS[name]!
  test(`a short run of ${name}: ${what}`, { skip: lacks?.() ?? false }, async (t) => {
    const own = temporaryFolder()
    const given = { seed: 1, count, duration: 0, leastActs: 0, folder: own.path, say: () => {}, scale: SCALE }
    const figures = await run(given)
    for (const note of figures.notes ?? []) t.diagnostic(note)
    t.diagnostic(`${figures.acts} acknowledged, ${figures.unknown} unknown, ${figures.faults} faults`)
    assert.deepEqual([figures.violations, figures.faults], [[], count])
    own.remove()
  })
}
