import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { issueApiKey } from '#flows/partners/issue-api-key.ts'
import type { PartnerPages } from '#flows/partners/partner-page.ts'
import type { revokeApiKey } from '#flows/partners/revoke-api-key.ts'
import type { rotateApiKey } from '#flows/partners/rotate-api-key.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { refusedBy } from './acting-person.ts'
import { actRefusals, maybeText, moment, orNotFound, reason } from './object-parts.ts'
import { SCOPE } from './partner-schemas.ts'

export interface KeyDeps {
  keyMode: 'test' | 'live'
  partnerPages: PartnerPages
  issueApiKey(command: Parameters<typeof issueApiKey>[1]): ReturnType<typeof issueApiKey>
  rotateApiKey(command: Parameters<typeof rotateApiKey>[1]): ReturnType<typeof rotateApiKey>
  revokeApiKey(command: Parameters<typeof revokeApiKey>[1]): ReturnType<typeof revokeApiKey>
}

const tags = ['Partners']
const ofKey = Type.Object({ keyId: Type.String({ pattern: '^[0-9A-Za-z]{12}$' }) })
// 525,600 minutes are a year.
const overlap = Type.Integer({ description: 'How long the old key works on.', minimum: 0, maximum: 525_600 })

const KeyIssued = object(
  'KeyIssued',
  {
    id: Type.String(),
    key: Type.String({ description: 'Shown this once: only its hash is stored.' }),
    replaces: maybeText,
    oldEndsAt: Type.Union([moment, Type.Null()]),
  },
  { description: 'A new API key.' },
)

const SCHEMAS = {
  issue: {
    tags,
    operationId: 'issueKey',
    summary: 'Issue an API key',
    params: Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) }),
    body: object('KeyWanted', {
      label: Type.String({ maxLength: 200 }),
      scopes: Type.Array(SCOPE, { maxItems: 20 }),
      networks: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100 }),
      expiresInDays: Type.Union([Type.Integer(), Type.Null()]),
      reason,
    }),
    response: { 200: KeyIssued, ...actRefusals },
  },
  rotate: {
    tags,
    operationId: 'rotateKey',
    summary: 'Issue a key with the same rights, and end the old one after an overlap',
    params: ofKey,
    body: object('KeyRotation', { overlapMinutes: overlap, reason }),
    response: { 200: KeyIssued, ...actRefusals },
  },
  revoke: {
    tags,
    operationId: 'revokeKey',
    summary: 'Revoke an API key, now or after an overlap',
    params: ofKey,
    body: object('KeyRevocation', { afterMinutes: overlap, reason }),
    response: { 200: object('KeyRevoked', { id: Type.String(), endsAt: moment }), ...actRefusals },
  },
} as const

// A partner's staff manage the keys of their own partner. Any other key does not exist for them.
export function registerKeys(scope: Server, deps: KeyDeps, access: ConsoleAccess): void {
  const manages = access.mayWithProof('keys.manage', 'own')

  scope.post(
    '/partners/:code/keys',
    { ...manages, schema: SCHEMAS.issue, ...jsonBody },
    async (request, reply) => {
      const { actor, partnerId } = staffOf(request)
      // For a partner's staff any code but their own is not found.
      const { code } = orNotFound(await deps.partnerPages.find({ code: request.params.code, partnerId }))
      const { expiresInDays, ...wanted } = request.body
      const outcome = await deps.issueApiKey({
        ...wanted,
        ...(expiresInDays === null ? {} : { expiresInDays }),
        code,
        mode: deps.keyMode,
        actor,
      })
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      reply.header('cache-control', 'no-store')
      // The only moment at which the key is in the clear. Its hash is stored.
      return { id: outcome.id, key: outcome.key.reveal(), replaces: null, oldEndsAt: null }
    },
  )

  scope.post(
    '/keys/:keyId/rotate',
    { ...manages, schema: SCHEMAS.rotate, ...jsonBody },
    async (request, reply) => {
      const { actor, partnerId } = staffOf(request)
      const { overlapMinutes, reason: why } = request.body
      const id = request.params.keyId
      // The path names no partner, so the flow compares the key's partner with the caller's.
      const command = { id, mode: deps.keyMode, overlapMinutes, partnerId, actor, reason: why }
      const outcome = await deps.rotateApiKey(command)
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      reply.header('cache-control', 'no-store')
      const { key, replaces, endsAt } = outcome
      return { id: outcome.id, key: key.reveal(), replaces, oldEndsAt: instantText(endsAt) }
    },
  )

  scope.post('/keys/:keyId/revoke', { ...manages, schema: SCHEMAS.revoke, ...jsonBody }, async (request) => {
    const { actor, partnerId } = staffOf(request)
    const { afterMinutes, reason: why } = request.body
    const command = { id: request.params.keyId, afterMinutes, partnerId, actor, reason: why }
    const outcome = await deps.revokeApiKey(command)
    if (outcome.kind === 'refused') throw refusedBy(outcome)
    return { id: outcome.id, endsAt: instantText(outcome.endsAt) }
  })
}
