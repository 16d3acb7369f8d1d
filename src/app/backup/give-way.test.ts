import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGivingWay } from './give-way.ts'

function resting(areOthersBusy: boolean) {
  const rests: number[] = []
  const giveWay = createGivingWay(
    () => areOthersBusy,
    async (ms) => rests.push(ms),
  )
  return { rests, giveWay }
}

test('work rests twice as long as it worked while others use the machine', async () => {
  const { rests, giveWay } = resting(true)
  const began = performance.now()
  while (rests.length < 2) {
    await sleep(10)
    await giveWay(async () => true)
  }
  const passed = performance.now() - began
  assert.ok(
    rests.every((ms) => ms >= 200 && ms <= 1_000),
    `${rests}`,
  )
  assert.ok(rests[0]! + rests[1]! <= 2 * passed + 1, 'no longer than twice')
})

test('on an idle machine it does not rest', async () => {
  const { rests, giveWay } = resting(false)
  await sleep(150)
  await giveWay(async () => true)
  assert.deepEqual(rests, [])
})

test('it does not rest where the copy cannot wait', async () => {
  const { rests, giveWay } = resting(true)
  await sleep(150)
  await giveWay(async () => false)
  assert.deepEqual(rests, [])
})
