import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { KEPT_DATABASE } from './release-recording.ts'

// TEST_PATIENCE=4 npm test: every limit of the tests is four times as long, for a machine with much else to do. A limit
// says when to give up waiting, never how fast the service is: a test that passes takes no longer for it.
const FACTOR = Number(process.env.TEST_PATIENCE ?? 1)
if (!(Number.isInteger(FACTOR) && FACTOR >= 1)) throw new Error('TEST_PATIENCE is a whole number, 1 or more')

export const patiently = (ms: number) => Math.round(ms * FACTOR)

// Node gives each address of `localhost` a quarter of a second, and a busy machine needs longer to connect to itself.
setDefaultAutoSelectFamilyAttemptTimeout(patiently(10_000))

type Nothing = undefined | null | false

// On a database that holds other files' rows, some waits are in vain (tools/record-release.ts).
const LIMIT_MS = KEPT_DATABASE ? 15_000 : 300_000

// Asks until it is so. The limit is for a quiet machine.
export async function until<Value>(
  look: () => Promise<Value | Nothing> | Value | Nothing,
  what: string = String(look),
  withinMs = LIMIT_MS,
): Promise<Value> {
  const began = performance.now()
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (performance.now() - began > patiently(withinMs)) throw new Error(`waited in vain: ${what}`)
    // A long wait asks less often, as each question takes time from what it waits for.
    await sleep(Math.min(250, 20 + (performance.now() - began) / 10))
  }
}

// The same for something that is under way and tells its end itself, such as a process. What was known by then is said.
export async function within<Value>(
  ending: Promise<Value>,
  what: () => string,
  withinMs = 300_000,
): Promise<Value> {
  const given = Promise.withResolvers<never>()
  const timer = setTimeout(() => given.reject(new Error(`waited in vain: ${what()}`)), patiently(withinMs))
  return Promise.race([ending, given.promise]).finally(() => clearTimeout(timer))
}
