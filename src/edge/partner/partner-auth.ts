import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Reader } from '#base/db/db.ts'
import { namedAddress } from '#edge/http/caller.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { ApiError, badField, type RefusalReason } from '#edge/http/errors.ts'
import { certainAddress, isSameOriginRequest } from '#edge/http/forwarding.ts'
import { type CountRequest, createRequestRate } from '#edge/http/request-rate.ts'
import { createCheckedHeaders, createKeyCache, createKeylessCache } from '#edge/partner/known-partners.ts'
import { hashApiKey, parseApiKey, whyNoKey } from '#modules/partners/api-key.ts'
import type { KeylessPartner, KnownKey, Scope } from '#modules/partners/types.ts'

const BEARER = /^Bearer +(\w+) *$/i

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

// The fields by which a call may name its partner.
type Spellings = readonly [string, string?]

// The caller's name in the audit log.
export function actorOf({ caller }: FastifyRequest): string {
  const { partner, keyId } = caller!
  return `partner:${partner.code} ${keyId === null ? 'network' : `key ${keyId}`}`
}

export interface PartnerAuth {
  // For a route that needs a key with this scope.
  withKey(scope: Scope): { onRequest: Hook }
  // For a route whose call names its partner: with that partner's key, or without a key from its networks.
  named(scope: Scope, spellings: Spellings): { onRequest: Hook; preValidation: Hook }
}

interface Deps extends Pick<HttpDeps, 'keyMode' | 'trustedProxies' | 'own' | 'takeToken'> {
  database: Reader
  noteKeyUse(id: KnownKey['id']): void
}

// Checks the caller before anything else of the request, then the partner's rate limit.
export function createPartnerAuth(deps: Deps): PartnerAuth {
  const countRequest = createRequestRate(deps.takeToken)
  const checkKey = createKeyCheck(deps, countRequest)
  const checkAddress = createAddressCheck(deps)
  return {
    withKey: (scope) => ({ onRequest: checkKey(scope) }),
    named(scope, spellings) {
      const withKey = checkKey(scope)
      return {
        // A call with a key is judged by the key alone: an allowed address never makes up for a wrong key.
        onRequest: (request, reply, done) =>
          request.headers.authorization === undefined
            ? checkAddress(request, reply, done)
            : withKey(request, reply, done),
        preValidation: (request, reply, done) =>
          whenKnown(spellings, done, () => admitNamed(request, reply, spellings, countRequest)),
      }
    },
  }
}

// The cheap checks come first: shape and checksum of a key need no query.
function createKeyCheck(deps: Deps, countRequest: CountRequest): (scope: Scope) => Hook {
  const findKey = createKeyCache(deps.database)
  const checked = createCheckedHeaders(findKey)

  function admit(
    scope: Scope,
    request: FastifyRequest,
    reply: FastifyReply,
    key: KnownKey,
  ): void | Promise<void> {
    // Before any refusal, so that the log and the record name the partner whose key it was.
    request.caller = { keyId: key.id, partner: key.partner }
    // Checked before the rate limit. A thief of a key that is bound to addresses cannot use up its owner's limit.
    if (key.networks.list.length > 0 && !key.networks.has(namedAddress(request) ?? ''))
      throw new ApiError('forbidden').because('address_not_listed')
    // Only remembered here, and written behind the answers.
    deps.noteKeyUse(key.id)
    return afterwards(countRequest(key.partner, reply), () => {
      // After the rate limit, so that refused calls count, too.
      refuseSuspended(key.partner)
      if (!key.scopes.includes(scope)) throw new ApiError('forbidden').because('scope_missing')
    })
  }

  return (scope) => (request, reply, done) => {
    const header = request.headers.authorization ?? ''
    const known = checked.find(header)
    if (known) return whenKnown(known, done, (key) => admit(scope, request, reply, key))
    const text = BEARER.exec(header)?.[1] ?? ''
    const id = parseApiKey(deps.keyMode, text)
    if (id === undefined) {
      const reason = request.headers.authorization === undefined ? 'no_key' : whyNoKey(deps.keyMode, text)
      return done(new ApiError('unauthorized').because(reason))
    }
    whenKnown(findKey(id), done, (key) => {
      // One refusal for every way a key can be wrong, so that it confirms nothing to a guesser.
      // In constant time, so that the time of a refusal tells nothing about the hash.
      if (!key || key.ended || !timingSafeEqual(key.secretHash, hashApiKey(text))) {
        throw new ApiError('unauthorized').because(whyRefused(key))
      }
      checked.keep(header, key)
      return admit(scope, request, reply, key)
    })
  }
}

// The cause, for the operator. The caller gets one answer for all of them.
function whyRefused(key: KnownKey | undefined): RefusalReason {
  if (!key) return 'unknown_key'
  if (key.ended) return key.ended === 'revoked' ? 'key_revoked' : 'key_expired'
  return 'wrong_secret'
}

// No key, but an address that some partner listed. The body will say which partner is meant.
function createAddressCheck(deps: Deps): Hook {
  const listKeyless = createKeylessCache(deps.database)
  const isTrustedProxy = (address: string) => deps.trustedProxies.has(address)
  // In live a list of networks alone opens nothing: the operator also sets `--keyless` for each partner.
  const isOpen = (partner: KeylessPartner) => partner.keyless || deps.keyMode === 'test'

  return (request, _reply, done) => {
    // A foreign page could call through a browser on a listed address (decisions/0012).
    const address = isSameOriginRequest(request, deps.own)
      ? certainAddress(request, isTrustedProxy)
      : undefined
    const partners = address === undefined ? [] : listKeyless()
    whenKnown(partners, done, (all) => {
      const listedBy = all.filter((partner) => isOpen(partner) && partner.networks.has(address!))
      if (listedBy.length === 0) throw new ApiError('unauthorized').because('no_key')
      request.listedBy = listedBy
    })
  }
}

// Runs after the body: the partner that it names must be the key's, or must list the caller's address.
function admitNamed(
  request: FastifyRequest,
  reply: FastifyReply,
  spellings: Spellings,
  countRequest: CountRequest,
): void | Promise<void> {
  const name = namedPartner(request, spellings)
  if (request.caller) {
    // 403 and not 401: the key is right, and the partner that was named is not its own.
    if (name !== request.caller.partner.code) throw new ApiError('forbidden').because('other_partner')
    return
  }
  const partner = request.listedBy?.find(({ code }) => code === name)
  // The same for a partner that does not exist, so that codes cannot be tried out.
  if (!partner) throw new ApiError('unauthorized').because('partner_not_listed')
  // Without a key there is no scope to check: the list of networks opens the user endpoints as a whole.
  request.caller = { keyId: null, partner }
  return afterwards(countRequest(partner, reply), () => refuseSuspended(partner))
}

// Before any other decision: the keys of a suspended partner open nothing (decisions/0006).
function refuseSuspended({ active }: { active: boolean }): void {
  if (!active) throw new ApiError('forbidden').because('partner_suspended')
}

// `partner` and `source` are two names for one field.
function namedPartner(request: FastifyRequest, [first, second]: Spellings): string {
  const fields = ((request.method === 'POST' ? request.body : request.query) ?? {}) as Record<string, unknown>
  const name = fields[first]
  const other = second === undefined ? undefined : fields[second]
  if (typeof name === 'string' && (other === undefined || other === name)) return name
  if (typeof other === 'string' && name === undefined) return other
  // 400 and not 401: a key or an address has been accepted, so the caller can be helped.
  throw badField(request, first, 'must name the partner, once').amongOthers()
}

// Continues at once with a known value: a promise for each request would be a large part of a small one's cost.
function whenKnown<Value>(
  value: Value | Promise<Value>,
  done: (error?: Error) => void,
  admit: (value: Value) => void | Promise<void>,
): void {
  const settle = (known: Value) => {
    try {
      const admitted = admit(known)
      if (admitted instanceof Promise) return void admitted.then(() => done(), done)
    } catch (error) {
      return done(error as Error)
    }
    done()
  }
  if (value instanceof Promise) value.then(settle, done)
  else settle(value)
}

// Goes on at once if the limit was counted at once.
function afterwards(counted: void | Promise<void>, next: () => void): void | Promise<void> {
  return counted instanceof Promise ? counted.then(next) : next()
}
