import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ApiError } from '#edge/http/errors.ts'
import type { FieldRules } from '#edge/http/invalid-fields.ts'
import type { KeylessPartner, KnownKey, KnownPartner } from '#modules/partners/types.ts'

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
    listedBy: readonly KeylessPartner[] | null
    errorCode: string | null
    refusal: ApiError | null
    // The id under which a signup's trace number is kept.
    traceId: string | null
    receivedAt: number
  }
  interface FastifyContextConfig {
    fieldRules?: FieldRules
    // Answers 405 and does nothing else.
    wrongMethod?: true
  }
  interface FastifyInstance {
    publicUrl: string
    contact: string
  }
}
