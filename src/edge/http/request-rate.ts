import type { FastifyReply } from 'fastify'
import type { Rate, TakeToken } from '#base/queues/rate-limits.ts'
import type { Taken } from '#base/queues/token-bucket.ts'
import { ApiError } from '#edge/http/errors.ts'
import { networksOf } from '#modules/guesses/rules.ts'
import type { KnownPartner } from '#modules/partners/types.ts'

// A promise only if another process keeps the buckets. It rejects, or the call throws, if there are too many requests.
type Counted = void | Promise<void>
export type CountRequest = (partner: KnownPartner, reply: FastifyReply) => Counted

// The partner's rate limit, and the headers that show it.
export function createRequestRate(take: TakeToken): CountRequest {
  return ({ id, rateLimit }, reply) => {
    // Zero is no limit. Then no other process is asked, either (decisions/0059).
    if (rateLimit === 0) return
    const taken = take('partner', id, { perSecond: rateLimit, burst: rateLimit })
    if (taken instanceof Promise) return taken.then((one) => show(one, rateLimit, reply))
    show(taken, rateLimit, reply)
  }
}

// Sets the headers that most clients know.
function show(taken: Taken, rateLimit: number, reply: FastifyReply): void {
  reply.header('ratelimit-limit', rateLimit)
  reply.header('ratelimit-remaining', taken.remaining)
  reply.header('ratelimit-reset', taken.resetSeconds)
  // After the headers: a refused caller needs them to know when to come back.
  refuseTooMany(taken)
}

function refuseTooMany({ allowed, resetSeconds }: Taken): void {
  if (!allowed) throw new ApiError('too_many_requests', [], resetSeconds)
}

export type CountSession = (sessionId: string) => Counted
export type CountAddress = (what: string, address: string | undefined) => Counted

// A page makes a handful of requests when it opens, and then one now and then.
const OF_A_SESSION: Rate = { perSecond: 20, burst: 40 }
// A carrier has thousands of people behind one address.
const OF_AN_ADDRESS: Rate = { perSecond: 200, burst: 400 }

// Counted by session, so that a runaway page does not slow its neighbours behind one address.
export function createSessionRate(take: TakeToken): CountSession {
  return createRate(take, 'session', OF_A_SESSION)
}

// The rate limit of visitors, by address and kind of request. If all visitors share the address, nothing is counted.
export function createAddressRate(take: TakeToken): CountAddress {
  const count = createRate(take, 'address', OF_AN_ADDRESS)
  return (what, address) => {
    // The kind is part of the key, so that a flood of one kind leaves the others alone.
    if (address !== undefined) return count(`${what} ${networksOf(address)[0]!.network}`)
  }
}

export function createRate(take: TakeToken, kind: string, rate: Rate): (key: string) => Counted {
  return (key) => {
    const taken = take(kind, key, rate)
    if (taken instanceof Promise) return taken.then(refuseTooMany)
    refuseTooMany(taken)
  }
}
