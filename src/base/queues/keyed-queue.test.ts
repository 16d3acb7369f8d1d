import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Unavailable } from '#base/db/errors.ts'
import { createKeyedQueue, TooManyOfOneKey } from './keyed-queue.ts'

test('so many of a key run at once, in their order; others do not wait for them', async () => {
  const queue = createKeyedQueue({ atOnce: 2, maxWaiting: 3 })
  const running = { a: 0, b: 0 }
  let most = 0
  const order: number[] = []
  const work = (key: 'a' | 'b', i: number) =>
    queue(key, async () => {
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

test('who comes first is not behind the others, and has room of its own', async () => {
  const queue = createKeyedQueue({ atOnce: 1, maxWaiting: 1 })
  const order: string[] = []
  const work = (name: string) => async () => void order.push(name)
  const all = [
    queue('a', work('running')),
    queue('a', work('other')),
    queue('a', work('first'), { first: true }),
  ]
  await assert.rejects(queue('a', work('too many')), TooManyOfOneKey)
  await Promise.all(all)
  assert.deepEqual(order, ['running', 'first', 'other'])
})

test('who has waited long enough, or is gone, leaves the line and is not run', async () => {
  const queue = createKeyedQueue({ atOnce: 1, maxWaiting: 5 })
  const done = Promise.withResolvers<void>()
  const ran: string[] = []
  const running = queue('a', () => done.promise)
  const over = new AbortController()
  const gone = queue('a', async () => void ran.push('gone'), { signal: over.signal })
  const stays = queue('a', async () => void ran.push('stays'), { signal: new AbortController().signal })
  over.abort('the caller hung up')
  await assert.rejects(gone, new Unavailable('the caller hung up'))
  const ofOneKey = createKeyedQueue({ atOnce: 1, maxWaiting: 1, late: () => new TooManyOfOneKey() })
  await assert.rejects(
    ofOneKey('a', async () => {}, { signal: over.signal }),
    TooManyOfOneKey,
  )
  await assert.rejects(
    queue('b', async () => void ran.push('late'), { signal: over.signal }),
    Unavailable,
  )
  done.resolve()
  await Promise.all([running, stays])
  assert.deepEqual(ran, ['stays'])
})
