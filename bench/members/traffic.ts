import type { MemberCall, Plan } from '../load/requests.ts'
import type { Generator } from '../load/start.ts'
import type { Load } from '../load/tally.ts'
import type { Measurement } from '../rounds.ts'
import type { Shards } from './shards.ts'

const CONNECTIONS = 64
// More than there is time for: what is left over is for the next.
const MOST_PER_SECOND = 10_000

export interface MemberTarget {
  ports: readonly number[]
  generator: Generator
}

// Asks of which each can be made again and again.
export function asking(
  name: string,
  target: MemberTarget,
  { connections, ...ask }: { path: string; calls: readonly MemberCall[]; connections?: number },
): Measurement {
  const plan = { kind: 'as_member' as const, ...ask, once: false }
  return { name, run: (seconds) => send(target, seconds, plan, connections) }
}

// Calls that succeed once: each is taken from here, by one measurement or another. Every process gets every second of
// them, whichever is quicker, so a few are left lying.
export class Supply {
  readonly #path: string
  readonly #calls: readonly MemberCall[]
  #used = 0
  // Answered with 200, and otherwise. What failed may have been written nevertheless.
  succeeded = 0
  failed = 0

  constructor(path: string, calls: readonly MemberCall[]) {
    this.#path = path
    this.#calls = calls
  }

  hasWritten(rows: number): boolean {
    return rows >= this.succeeded && rows <= this.succeeded + this.failed
  }

  using(name: string, target: MemberTarget): Measurement {
    return {
      name,
      run: async (seconds) => {
        const most = Math.ceil(MOST_PER_SECOND * seconds)
        const calls = this.#calls.slice(this.#used, this.#used + most)
        const load = await send(target, seconds, { kind: 'as_member', path: this.#path, calls, once: true })
        this.#used += Math.max(...load.byProcess) * target.ports.length
        this.succeeded += load.requests - load.errors
        this.failed += load.errors
        if (this.#used >= this.#calls.length) throw new Error(`out of calls of ${this.#path}`)
        return load
      },
    }
  }
}

function send(
  { ports, generator }: MemberTarget,
  seconds: number,
  plan: Plan,
  connections = CONNECTIONS,
): Promise<Load> {
  return generator.run({ ports, connections, seconds, plan })
}

const REPLANNING_SECONDS = 0.3

// The same with all house accounts in use and with one. Both begin by changing the functions and by running a while, since
// every connection then has to plan anew.
export function inBoth(shards: Shards, measurement: Measurement): [spread: Measurement, onOne: Measurement] {
  const on = (kind: 'all' | 'one', words: string): Measurement => ({
    name: `${measurement.name}, ${words}`,
    async run(seconds) {
      await shards.use(kind)
      try {
        await measurement.run(REPLANNING_SECONDS)
        return await measurement.run(seconds)
      } finally {
        await shards.use('all')
      }
    },
  })
  return [on('all', '16 shards'), on('one', '1 house account')]
}
