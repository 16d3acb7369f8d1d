import { randomBytes } from 'node:crypto'
import type { Database } from '#base/db/db.ts'
import { lockSendable } from '#modules/deliveries/sending.ts'
import { deleteOldEvents, takeOverJobs } from '#modules/deliveries/store.ts'
import { listNeglected, listWaiting } from '#modules/deliveries/waiting.ts'
import { lockExpired } from '#modules/gift-cards/expiry.ts'
import { findCardsByRecipient } from '#modules/gift-cards/find.ts'
import { deleteOldIdempotencyKeys } from '#modules/gift-cards/store.ts'
import { findMembersBy } from '#modules/members/search.ts'
import { findTraced } from '#modules/members/signup-traces.ts'
import { deleteOldSessions } from '#modules/sessions/store.ts'
import { eraseOldDestinations } from '#modules/withdrawals/store.ts'
import type { Measurement } from '../rounds.ts'

class Undone extends Error {}

// What the command line searches and the worker looks for, one after the other on a connection like theirs. Jobs are measured with
// nothing left to do, as they find it in most of their runs: what is due is a share of a day, what is not grows with the years.
export function searchesOn(database: Database): Measurement[] {
  const { db } = database
  const hash = () => [randomBytes(32)]
  // Rolled back, so that the next run finds the same.
  const undone = (work: Parameters<Database['withTransaction']>[0]) => async () => {
    await database
      .withTransaction(async (tx) => {
        await work(tx)
        throw new Undone()
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error
      })
  }
  const sweeps = { afterMs: 20_000, limit: 50_000 }
  return Object.entries({
    'search: cards of a number': () => findCardsByRecipient(db, hash()),
    'search: members of a number': () => findMembersBy(db, 'phone', hash()),
    'search: members of a name': () => findMembersBy(db, 'name', hash()),
    'search: users of a trace number': () => findTraced(db, hash()),
    'job: claim messages': undone(async (tx) => {
      const ids = await takeOverJobs(tx, 'delivery', { channel: 'text', room: 50 })
      await lockSendable(tx, { ids, withDoubtful: false })
    }),
    'job: sweep messages': () => listNeglected(db, 'delivery', 'queued', sweeps),
    'metric: waiting messages': () => listWaiting(database),
    'job: expired cards': undone((tx) => lockExpired(tx, 500)),
    'job: old idempotency keys': undone((tx) => deleteOldIdempotencyKeys(tx, 5_000)),
    'job: old sessions': undone((tx) => deleteOldSessions(tx, 5_000)),
    'job: old message events': undone((tx) => deleteOldEvents(tx, 5_000)),
    'job: old payout accounts': undone((tx) => eraseOldDestinations(tx, 5_000)),
  }).map(([name, work]) => ({ name, run: (seconds) => repeat(work, seconds) }))
}

async function repeat(work: () => Promise<unknown>, seconds: number) {
  await work() // planned, and its pages read
  const times: number[] = []
  const began = performance.now()
  while (performance.now() - began < seconds * 1000) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  return {
    perSecond: (times.length * 1000) / (performance.now() - began),
    p50: times[times.length >> 1]!,
    p99: times[Math.floor(times.length * 0.99)]!,
    errors: 0,
    requests: times.length,
  }
}
