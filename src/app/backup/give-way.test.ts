import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGivingWay } from './give-way.ts'

// Each call comes after so much time, in which the work got so much of a core.
async function restsAfter(
  turns: readonly { wall: number; cpu: number }[],
  { areOthersBusy = true, mayWait = true } = {},
): Promise<number[]> {
  const rests: number[] = []
  const now = { wall: 1_000, cpu: 500 }
  const giveWay = createGivingWay(
    () => areOthersBusy,
    async (ms) => {
      rests.push(ms)
      now.wall += ms
    },
    () => ({ ...now }),
  )
  for (const { wall, cpu } of turns) {
    now.wall += wall
    now.cpu += cpu
    await giveWay(async () => mayWait)
  }
  return rests
}

const TURN = { wall: 150, cpu: 150 }

test('work rests twice as long as it worked while others use the machine', async () => {
  assert.deepEqual(await restsAfter([TURN, { wall: 200, cpu: 190 }]), [300, 380])
})

test('it rests for a second at most, and not after every megabyte', async () => {
  assert.deepEqual(await restsAfter([{ wall: 2_000, cpu: 2_000 }]), [1_000])
  const short = { wall: 40, cpu: 40 }
  assert.deepEqual(await restsAfter([short, short, short]), [240])
})

test('what had to wait for the machine has given way already', async () => {
  assert.deepEqual(await restsAfter([{ wall: 300, cpu: 30 }]), [60])
})

test('several threads count as the time that passed', async () => {
  assert.deepEqual(await restsAfter([{ wall: 150, cpu: 280 }]), [300])
})

test('on an idle machine, and where the copy cannot wait, it does not rest', async () => {
  assert.deepEqual(await restsAfter([TURN], { areOthersBusy: false }), [])
  assert.deepEqual(await restsAfter([TURN], { mayWait: false }), [])
})
