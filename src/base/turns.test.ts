import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTurns, TooManyOfOneKey } from './turns.ts'

test('so many of a key run at once, in their order; others do not wait for them', async () => {
  const turns = createTurns({ atOnce: 2, maxWaiting: 3 })
  const running = { a: 0, b: 0 }
  let most = 0
  const order: number[] = []
  const work = (key: 'a' | 'b', i: number) =>
    turns(key, async () => {
      running[key] += 1
      most = Math.max(most, running.a, running.b)
      await sleep(5)
      running[key] -= 1
      if (key === 'a') order.push(i)
      if (i === 1) throw new Error('one that fails leaves its place as well')
    })
  const all = [0, 1, 2, 3, 4, 5].map((i) => work('a', i))
  const other = work('b', 0)
  const settled = await Promise.allSettled([...all, other])
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
  assert.ok((settled[5] as PromiseRejectedResult).reason instanceof TooManyOfOneKey)
  assert.deepEqual([most, order], [2, [0, 1, 2, 3, 4]])
})
