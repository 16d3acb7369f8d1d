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
  used = readUsed,
): (mayWait: () => Promise<boolean>) => Promise<void> {
  let since = used()
  return async (mayWait) => {
    const now = used()
    if (now.wall - since.wall < TURN_MS) return
    // Beside a full machine a low priority leaves it little: what it did not get it has given already.
    const worked = Math.min(now.wall - since.wall, now.cpu - since.cpu)
    if (areOthersBusy() && (await mayWait())) await rest(Math.min(REST_MAX_MS, REST * worked))
    since = used()
  }
}

function readUsed(): { wall: number; cpu: number } {
  const { user, system } = process.cpuUsage()
  return { wall: performance.now(), cpu: (user + system) / 1000 }
}
