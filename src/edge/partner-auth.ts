import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Batcher } from '#base/batch.ts'
import type { Reader } from '#base/db.ts'
import { TokenBucket } from '#base/token-bucket.ts'
import { ApiError } from '#edge/errors.ts'
import type { EdgeDeps } from '#edge/types.ts'
import { hashApiKey, parseApiKey } from '#modules/partners/api-key.ts'
import { findKnownKeys } from '#modules/partners/store.ts'
import type { KeyId, KnownKey, Scope } from '#modules/partners/types.ts'

const TRUST_MS = 2_000 // what was read of a key counts this long; revoked means refused within 5 s
const BEARER = /^Bearer +(\w+) *$/i
const MAX_KEYS = 10_000 // bounds what a flood of made-up keys can occupy

export type PartnerAuth = (
  scope: Scope,
) => (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

// At once when it is known, so that most requests wait for nothing.
type FindKey = (id: KeyId) => KnownKey | undefined | Promise<KnownKey | undefined>

interface Known {
  until: number
  key: KnownKey | undefined | Promise<KnownKey | undefined>
}

function createKeyCache(database: Reader): FindKey {
  const cache = new Map<KeyId, Known>()
  const batcher = new Batcher<KeyId, KnownKey | undefined>({
    run: (ids) => findKnownKeys(database, ids),
    maxSize: 100,
    maxInFlight: 2,
    maxWaiting: 5_000,
  })
  return (id) => {
    const now = performance.now()
    const before = cache.get(id)
    if (before && before.until > now) return before.key
    // Counted from before the read: a revocation that commits meanwhile is not missed for longer.
    const asked = batcher.submit(id)
    const known: Known = { until: now + TRUST_MS, key: asked }
    cache.delete(id)
    cache.set(id, known)
    asked.then(
      (key) => {
        known.key = key
      },
      () => cache.delete(id),
    )
    if (cache.size > MAX_KEYS) cache.delete(cache.keys().next().value!)
    return asked
  }
}

// Checks the key before anything else of the request is looked at, then the partner's request rate.
export function createPartnerAuth(deps: EdgeDeps): PartnerAuth {
  const findKey = createKeyCache(deps.database)
  const buckets = new Map<number, TokenBucket>()

  function countRequest(partner: KnownKey['partner'], reply: FastifyReply): void {
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

  function admit(
    scope: Scope,
    request: FastifyRequest,
    reply: FastifyReply,
    text: string,
    key: KnownKey | undefined,
  ): void {
    // One refusal for every way a key can be wrong: it confirms nothing to one who guesses.
    if (!key || key.ended || !timingSafeEqual(key.secretHash, hashApiKey(text))) {
      throw new ApiError('unauthorized')
    }
    request.caller = { keyId: key.id, partnerId: key.partner.id, partnerCode: key.partner.code }
    // Before the rate: whoever stole a key that is bound to addresses cannot use up its owner's.
    if (key.networks.list.length > 0 && !key.networks.has(request.ip)) throw new ApiError('forbidden')
    deps.noteKeyUse(key.id)
    countRequest(key.partner, reply)
    if (!key.partner.active || !key.scopes.includes(scope)) throw new ApiError('forbidden')
  }

  // A hook for a route that needs this scope.
  return (scope) => (request, reply, done) => {
    const text = BEARER.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const id = parseApiKey(deps.keyMode, text)
    const found = id === undefined ? undefined : findKey(id)
    const settle = (key: KnownKey | undefined) => {
      try {
        admit(scope, request, reply, text, key)
      } catch (error) {
        return done(error as Error)
      }
      done()
    }
    if (found instanceof Promise) found.then(settle, done)
    else settle(found)
  }
}
