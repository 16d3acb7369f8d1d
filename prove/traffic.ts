import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '#test/random.ts'
import type { Act, Outcome } from './acts.ts'
import { CardSupply } from './card-supply.ts'
import type { Client } from './client.ts'
import type { Scale } from './proof.ts'
import type { ClientRecord } from './record.ts'

const BUYERS = 6
const PER_SECOND = 100 // purchases and signups: the worker follows with their messages on two cores
const DOWN_MS = 200 // a client whose service is away asks again soon, and leaves it time to start
const LOOKED_UP = 0.1 // of purchases: the card and the usage are read
const GATE_POLL_MS = 10
const REST_MS = 60 // of a member between two acts

export interface Traffic {
  // So far.
  readonly acknowledged: number
  readonly unknown: number
  // Acts without an answer, and answers that promise nothing: empty where no request may fail.
  readonly failures: readonly string[]
  // Between two acknowledged acts, up to now.
  longestOutageMs(): number
  // The same for what ends from now on, so that no part is longer than the whole.
  watchOutage(): { stop(): number }
  // Until nothing is under way. Nothing is asked for before `goOn`.
  pause(): Promise<void>
  goOn(): void
  // What is under way gets its outcome first.
  stop(): Promise<void>
}

// Purchases, signups, redemptions, orders and withdrawals, side by side, until stopped.
export function startTraffic(
  client: Client,
  record: ClientRecord,
  random: Random,
  { perSecond = PER_SECOND, memberRestMs = REST_MS }: Scale = {},
): Traffic {
  const supply = new CardSupply(client.service.standIn)
  const counts = { ok: 0, refused: 0, unknown: 0 }
  const failures: string[] = []
  let lastMs = performance.now()
  const whole = { longest: 0 }
  const watches = [whole]
  let going = true

  async function act(wanted: Act): Promise<Outcome> {
    const n = record.begin(wanted)
    const outcome = await client.send(wanted)
    record.end(n, outcome)
    counts[outcome.kind] += 1
    if (outcome.kind === 'ok') {
      const now = performance.now()
      for (const watch of watches) watch.longest = Math.max(watch.longest, now - lastMs)
      lastMs = now
    }
    if (outcome.kind === 'unknown' || (outcome.kind === 'refused' && outcome.code === 'not_sent')) {
      failures.push(`${wanted.kind}: ${outcome.kind === 'unknown' ? outcome.why : outcome.code}`)
      await sleep(DOWN_MS)
    }
    return outcome
  }

  let serial = 0
  async function buy(own: Random): Promise<void> {
    serial += 1
    const wanted = purchaseOrSignup(own, serial)
    const [outcome] = await Promise.all([act(wanted), sleep((1_000 * BUYERS) / perSecond)])
    if (wanted.kind !== 'buy' || outcome.kind !== 'ok') return
    supply.add(outcome.id, wanted.amount)
    if (own.chance(LOOKED_UP)) await client.look(outcome.id)
  }

  async function member(i: number, own: Random): Promise<void> {
    const card = supply.take()
    if (card) await act({ kind: 'redeem', member: i, ...card })
    const quoteId = await client.quote(i, quoteBody(own))
    if (quoteId !== undefined) await act({ kind: 'order', member: i, quoteId })
    if (own.chance(0.3)) {
      const amount = 1_000 + own.int(3_000)
      await act({ kind: 'withdraw', member: i, requestId: own.uuid(), amount })
    }
    await sleep(memberRestMs)
  }

  const gate = new Gate()
  async function keepOn(work: () => Promise<void>): Promise<void> {
    while (going) await gate.pass(work)
  }
  const buyers = Array.from({ length: BUYERS }, (_, i) => random.fork(i))
  const actors = client.members.map((_, i) => random.fork(1_000 + i))
  const loops = [
    ...buyers.map((own) => keepOn(() => buy(own))),
    ...actors.map((own, i) => keepOn(() => member(i, own))),
  ]
  return {
    get acknowledged() {
      return counts.ok
    },
    failures,
    get unknown() {
      return counts.unknown
    },
    longestOutageMs: () => Math.max(whole.longest, performance.now() - lastMs),
    watchOutage() {
      const watch = { longest: 0 }
      watches.push(watch)
      return {
        stop() {
          watches.splice(watches.indexOf(watch), 1)
          return watch.longest
        },
      }
    },
    pause: () => gate.close(),
    goOn: () => gate.open(),
    async stop() {
      going = false
      gate.open()
      await Promise.all(loops)
    },
  }
}

// Lets work pass, or none.
class Gate {
  #closed: PromiseWithResolvers<void> | undefined
  #inside = 0

  async pass(work: () => Promise<void>): Promise<void> {
    await this.#closed?.promise
    this.#inside += 1
    try {
      await work()
    } finally {
      this.#inside -= 1
    }
  }

  async close(): Promise<void> {
    this.#closed ??= Promise.withResolvers()
    while (this.#inside > 0) await sleep(GATE_POLL_MS)
  }

  open(): void {
    this.#closed?.resolve()
    this.#closed = undefined
  }
}

// Now and then a purchase that has to be refused, so that a refusal is shown to leave nothing behind.
function purchaseOrSignup(random: Random, serial: number): Act {
  if (random.chance(0.1)) return { kind: 'signup', person: `person ${serial}` }
  const amount = random.chance(0.02) ? 0 : 10_000 + random.int(40_000)
  // 010-0000-… would be numbers that misbehave on purpose.
  return { kind: 'buy', key: random.uuid(), phoneNumber: `0103${String(serial).padStart(7, '0')}`, amount }
}

// A purchase of metal from points, or a sale: what it brings is what is withdrawn.
function quoteBody(random: Random): object {
  const metal = random.pick(['gold', 'silver'])
  const won = 1_000 + random.int(20_000)
  return { side: random.chance(0.6) ? 'buy' : 'sell', metal, won }
}
