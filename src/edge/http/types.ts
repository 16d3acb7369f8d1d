import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ApiError } from '#edge/http/errors.ts'
import type { FieldRules } from '#edge/http/invalid-fields.ts'
import type { KnownPath } from '#edge/http/no-route.ts'
import type { KeylessPartner, KnownKey, KnownPartner } from '#modules/partners/types.ts'
import type { RequestAudience, RequestObject } from '#modules/requests/types.ts'

export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

// Adds an audience's routes to the server.
export type Register = (server: Server) => void | Promise<void>

// The caller: by its key, or from a network of the partner without one.
interface Caller {
  keyId: KnownKey['id'] | null
  partner: KnownPartner
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    // The partners that list the caller's address, until the body names one of them.
    listedBy: readonly KeylessPartner[] | null
    // For the log, also where the answer is a page.
    errorCode: string | null
    refusal: ApiError | null
    // The id under which a signup's trace number is kept.
    traceId: string | null
    receivedAt: number
    // For the record of the request. A handler names what it is about as soon as it knows: `request.about = { kind: 'card', id }`.
    about: RequestObject | null
    // Whose session it is.
    memberId: string | null
    // Asked with a method that it does not have.
    knownPath: KnownPath | null
    // The answer was made; how long the caller waited before it hung up.
    answered: boolean
    hungUpAfter: number | null
  }
  interface FastifyContextConfig {
    fieldRules?: FieldRules
    // Answers 404 or 405 and does nothing else.
    refuses?: true
    // Whom the route is for, if its requests are recorded.
    audience?: RequestAudience
  }
  interface FastifyInstance {
    publicUrl: string
    contact: string
  }
}
