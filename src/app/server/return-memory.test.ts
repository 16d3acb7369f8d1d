import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { returnMemory } from './return-memory.ts'

test('the heap is collected once after the start and once after each busy time, and only in quiet', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const shares: number[] = []
  let collected = 0
  const end = returnMemory(() => (collected += 1), { busyShare: () => shares.shift()!, windowMs: 1_000 })
  const after = (...next: number[]) => {
    shares.push(...next)
    t.mock.timers.tick(next.length * 1_000)
    return collected
  }
  assert.deepEqual(
    [after(0.9), after(0.1), after(0.01, 0), after(0.02), after(0, 0, 0, 0.1, 0.01, 0, 0)],
    [0, 0, 0, 1, 1],
    'after the start',
  )
  assert.deepEqual(
    [after(0.5, 0.7), after(0.06), after(0, 0), after(0.06), after(0, 0), after(0)],
    [1, 1, 1, 1, 1, 2],
    'after a busy time',
  )
  end()
  assert.equal(after(0.9, 0, 0, 0), 2)
})

test('a process that has dropped what it used gives the memory back to the machine', () => {
  const module = fileURLToPath(new URL('return-memory.ts', import.meta.url))
  const script = `
    import { collectHeap } from ${JSON.stringify(module)}
    let kept = Array.from({ length: 2_000_000 }, (_, i) => ({ i }))
    const full = process.memoryUsage().rss
    kept = undefined
    collectHeap()
    if (globalThis.gc) throw new Error('the collector is left for others')
    console.log(Math.round((full - process.memoryUsage().rss) / 2 ** 20))`
  const returned = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
  // Two million objects of 16 bytes and more, and their array.
  assert.ok(Number(returned) > 40, `${returned.trim()} MB`)
})
