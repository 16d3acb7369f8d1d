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

const work = (ms: number) => {
  const began = performance.now()
  while (performance.now() - began < ms);
}

test('work rests twice as long as it worked while others use the machine', async () => {
  const { rests, giveWay } = resting(true)
  const began = performance.now()
  work(150)
  await giveWay(async () => true)
  const passed = performance.now() - began
  const [ms] = rests as [number]
  assert.ok(ms > 0 && ms <= 2 * passed, `${ms} after ${passed}`)
})

test('what had to wait for the machine has given way already', async () => {
  const { rests, giveWay } = resting(true)
  const began = performance.now()
  await sleep(300)
  await giveWay(async () => true)
  assert.ok(rests[0]! < performance.now() - began, `${rests}`)
})

test('on an idle machine it does not rest', async () => {
  const { rests, giveWay } = resting(false)
  work(150)
  await giveWay(async () => true)
  assert.deepEqual(rests, [])
})

test('it does not rest where the copy cannot wait', async () => {
  const { rests, giveWay } = resting(true)
  work(150)
  await giveWay(async () => false)
  assert.deepEqual(rests, [])
})
