import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actingFrom, runActing } from '#base/acting.ts'
import { createWorkQueue } from './work-queue.ts'

test('work that waited runs for its own caller, not for the one whose end began it', async () => {
  const queue = createWorkQueue({ maxInFlight: 1 })
  const callers = ['one', 'two', 'three']
  const seen = await Promise.all(
    callers.map((address) =>
      runActing({ actor: null, from: { address } }, () =>
        queue('sign-in', async () => {
          await new Promise(setImmediate)
          return actingFrom().address
        }),
      ),
    ),
  )
  assert.deepEqual(seen, callers)
})
