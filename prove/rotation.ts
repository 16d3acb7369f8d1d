import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '#test/patience.ts'
import { startIngot } from '#test/process.ts'
import type { Service } from './service.ts'

const REST_MS = 2_000

// Changes the keys again and again, as an operator would: a rotation that is cut off is finished by the next.
export function keepRotating({ settings }: Service) {
  const counts = { done: 0, failed: 0 }
  const end = new AbortController()
  const rotate = async () => {
    const { code } = await startIngot(settings, 'keys', 'rotate', '--json')
    counts[code === 0 ? 'done' : 'failed'] += 1
    return code === 0
  }
  const loop = (async () => {
    while (!end.signal.aborted) {
      await rotate()
      await sleep(REST_MS, undefined, { signal: end.signal }).catch(() => {})
    }
  })()
  return {
    // The last one finishes: no row stays under the old keys.
    async stop() {
      end.abort()
      await loop
      await until(rotate, 'the last rotation finishes')
      return counts
    },
  }
}
