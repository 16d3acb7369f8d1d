import type { FastifyReply } from 'fastify'
import { TokenBucket } from '#base/queues/token-bucket.ts'
import { ApiError } from '#edge/http/errors.ts'
import { networksOf } from '#modules/guesses/rules.ts'
import type { KnownPartner } from '#modules/partners/types.ts'

export type CountRequest = (partner: KnownPartner, reply: FastifyReply) => void

// The partner's rate limit, and the headers that show it.
export function createRequestRate(): CountRequest {
  const buckets = new Map<number, TokenBucket>()
  return (partner, reply) => {
    if (partner.rateLimit === 0) return
    const now = performance.now()
    const bucket = buckets.get(partner.id) ?? new TokenBucket(partner.rateLimit, now)
    buckets.set(partner.id, bucket)
    const taken = bucket.take(partner.rateLimit, now)
    reply.header('ratelimit-limit', partner.rateLimit)
    reply.header('ratelimit-remaining', taken.remaining)
    reply.header('ratelimit-reset', taken.resetSeconds)
    if (taken.allowed) return
    throw new ApiError('too_many_requests', [], taken.resetSeconds)
  }
}

export type CountSession = (sessionId: string) => void
export type CountAddress = (what: string, address: string | undefined) => void

interface Rate {
  perSecond: number
  burst: number
}

// A page makes a handful of requests when it opens, and then one now and then.
const OF_A_SESSION: Rate = { perSecond: 20, burst: 40 }
// A carrier has thousands of people behind one address.
const OF_AN_ADDRESS: Rate = { perSecond: 200, burst: 400 }
const MAX_KEYS = 20_000 // more are forgotten, and begin anew

// Counted by session, so that a runaway page does not slow its neighbours behind one address.
export function createSessionRate(): CountSession {
  return createRate(OF_A_SESSION)
}

// The rate limit of visitors, by address and kind of request. If all visitors share the address, nothing is counted.
export function createAddressRate(): CountAddress {
  const count = createRate(OF_AN_ADDRESS)
  return (what, address) => {
    if (address !== undefined) count(`${what} ${networksOf(address)[0]!.network}`)
  }
}

// In memory and per process: it stops loops, and money is bounded elsewhere (decisions/0007).
function createRate({ perSecond, burst }: Rate): (key: string) => void {
  const buckets = new Map<string, TokenBucket>()
  return (key) => {
    const now = performance.now()
    const bucket = buckets.get(key) ?? new TokenBucket(perSecond, now, burst)
    // Moved to the end of the map, so that the longest unused entry is forgotten first.
    buckets.delete(key)
    buckets.set(key, bucket)
    if (buckets.size > MAX_KEYS) buckets.delete(buckets.keys().next().value!)
    const taken = bucket.take(perSecond, now, burst)
    if (!taken.allowed) throw new ApiError('too_many_requests', [], taken.resetSeconds)
  }
}
