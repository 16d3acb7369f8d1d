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
