import type { FastifyRequest } from 'fastify'
import { isUuid } from '#base/ids.ts'
import { placeOf } from '#edge/http/invalid-fields.ts'
import type { RequestObject, RequestRecord } from '#modules/requests/types.ts'

// The path as it was registered, of one that is known.
export function routeOf({ knownPath, routeOptions }: FastifyRequest): string {
  return knownPath?.url ?? routeOptions.url ?? 'unmatched'
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

const isCode = (text: string) => /^[\w.-]{1,64}$/.test(text)
const isNumber = (text: string) => /^\d{1,18}$/.test(text)

// Which object a parameter of a path names. What has not the form of its ids is left out: a member is also named by a login id.
const NAMED_BY: Readonly<Record<string, [kind: RequestObject['kind'], isId: (text: string) => boolean]>> = {
  cardId: ['card', isUuid],
  giftUUID: ['card', isUuid],
  memberId: ['member', isUuid],
  userId: ['user', isUuid],
  linkId: ['user', isUuid],
  orderId: ['order', isUuid],
  withdrawalId: ['withdrawal', isUuid],
  requestId: ['approval', isUuid],
  deliveryId: ['delivery', isNumber],
  keyId: ['key', isCode],
  code: ['partner', isCode],
}

// The first parameter that is known wins: a path names its main object first.
function namedInPath(params: unknown): RequestObject | null {
  for (const name in params as Record<string, string>) {
    const [kind, isId] = NAMED_BY[name] ?? []
    const value = (params as Record<string, string>)[name]!
    if (kind && isId!(value))
      // UUIDs are stored in small letters. Codes and key ids count as they are written.
      return { kind, id: kind === 'partner' || kind === 'key' ? value : value.toLowerCase() }
  }
  return null
}

interface Answered {
  method: string
  status: number
  ms: number
}

// What is kept of a request: of the APIs, if it changes something, was refused, failed or was given up. Undefined: the log is
// enough. The same rule as there: never the URL, a body or a value that was sent.
export function recordOf(request: FastifyRequest, answered: Answered): RequestRecord | undefined {
  if (answered.status < 400 && READING.has(answered.method)) return undefined
  const { audience = isOfNoApi(request) ? 'none' : undefined } =
    request.knownPath ?? request.routeOptions.config
  if (!audience) return undefined
  const { caller, staff } = request
  return {
    id: request.id,
    audience,
    method: answered.method,
    route: routeOf(request),
    status: answered.status,
    code: request.errorCode,
    reason: causeOf(request) ?? null,
    ms: answered.ms,
    receivedAt: request.receivedAt,
    partnerId: caller?.partner.id ?? staff?.partnerId ?? null,
    keyId: caller?.keyId ?? null,
    staffId: staff?.staffId ?? null,
    memberId: request.memberId,
    object: request.about ?? namedInPath(request.params),
  }
}

// A program that called a path that is not there. A browser on such a path gets a page, and no refusal.
function isOfNoApi({ is404, refusal }: FastifyRequest): boolean {
  return is404 && refusal !== null
}

// Enough to find the mistake, and a line of the log stays short.
const SHOWN = 10

// For the operator: which of several causes, or which fields. Names from our own lists only, never a value.
export function causeOf({ refusal }: FastifyRequest): string | undefined {
  if (!refusal) return undefined
  const { reason, parts } = refusal
  const places = parts.slice(0, SHOWN).map((part) => (part.isTyped ? 'unknown_field' : placeOf(part)))
  return [...(reason ? [reason] : []), ...places].join(' ') || undefined
}
