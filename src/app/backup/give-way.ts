import { setTimeout as sleep } from 'node:timers/promises'
import { watchCores } from '#app/cores.ts'

// A copy on an idle machine goes at the disk's rate. Beside others it works a third of the time: a low priority alone does not
// help where two cores share one core's parts, its caches and its memory.
const BUSY = 0.25 // of all cores, by others
const REST = 2 // times as long as it worked
const TURN_MS = 100
const REST_MAX_MS = 1_000

/** To be awaited again and again by long work: it rests twice as long as it worked, while others use the machine. */
export function createGivingWay(
  areOthersBusy: () => boolean = watchCores(BUSY, { withoutOwn: true }),
  rest: (ms: number) => Promise<unknown> = sleep,
): (mayWait: () => Promise<boolean>) => Promise<void> {
  let began = performance.now()
  return async (mayWait) => {
    const worked = performance.now() - began
    if (worked < TURN_MS) return
    if (areOthersBusy() && (await mayWait())) await rest(Math.min(REST_MAX_MS, REST * worked))
    began = performance.now()
  }
}
