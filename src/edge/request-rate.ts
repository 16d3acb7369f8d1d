import type { FastifyReply } from 'fastify'
import { TokenBucket } from '#base/token-bucket.ts'
import { ApiError } from '#edge/errors.ts'
import type { KnownPartner } from '#modules/partners/types.ts'

export type CountRequest = (partner: KnownPartner, reply: FastifyReply) => void

// The partner's request rate, and the headers that tell of it.
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
    reply.header('retry-after', taken.resetSeconds)
    throw new ApiError('too_many_requests')
  }
}

export type CountSession = (sessionId: string) => void

// A page asks for a handful of things when it opens, and then once in a while.
const PER_SECOND = 20
const BURST = 40
const MAX_SESSIONS = 20_000 // more are forgotten, and begin anew

export function createSessionRate(): CountSession {
  const buckets = new Map<string, TokenBucket>()
  return (sessionId) => {
    const now = performance.now()
    const bucket = buckets.get(sessionId) ?? new TokenBucket(PER_SECOND, now, BURST)
    // Last in the order of the map: what is forgotten is what was quiet longest.
    buckets.delete(sessionId)
    buckets.set(sessionId, bucket)
    if (buckets.size > MAX_SESSIONS) buckets.delete(buckets.keys().next().value!)
    const taken = bucket.take(PER_SECOND, now, BURST)
    if (!taken.allowed) throw new ApiError('too_many_requests', [], taken.resetSeconds)
  }
}
