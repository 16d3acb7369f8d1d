import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPace } from './pace.ts'

// Work that ends when it is told to, and a count of what is under way.
function manual() {
  const begun: (() => void)[] = []
  const work = () => new Promise<void>((resolve) => begun.push(resolve))
  return { begun, work }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('while there is room everything runs at once', async () => {
  const { begun, work } = manual()
  const pace = createPace(() => false)
  const all = [pace(work), pace(work), pace(work)]
  assert.equal(begun.length, 3)
  for (const end of begun) end()
  await Promise.all(all)
})

test('on a full machine one runs after another, rests between them, and a failure keeps no one waiting', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { begun, work } = manual()
  const pace = createPace(() => true)
  const failed = pace(() => Promise.reject(new Error('broken')))
  const all = [pace(work), pace(work)]
  await assert.rejects(failed, /broken/)
  for (const count of [1, 2]) {
    t.mock.timers.tick(1_000)
    await turn()
    assert.equal(begun.length, count)
    begun.at(-1)!()
    await turn()
    assert.equal(begun.length, count, 'it rests')
  }
  await Promise.all(all)
})
