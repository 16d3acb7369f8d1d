import type { HttpDeps } from '#edge/http/deps.ts'
import { answers } from '#edge/http/error-answers.ts'
import { ApiError, type ErrorCode } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { PartnerAuth } from '#edge/partner/partner-auth.ts'
import type { IssueHashKey } from '#flows/partner-users/issue-hash-keys.ts'
import type { HashKeyRefusal } from '#modules/sessions/types.ts'
import { acceptOtherSpellings, userKeyOf } from './user-key.ts'
import { KEY_OR_NETWORK, UserBody } from './user-schemas.ts'

const HashAnswer = object(
  'HashKey',
  {
    hashKey: Type.String({ description: 'Opens the web view for one hour. Treat it as a password.' }),
    expiresAt: Type.String({ format: 'date-time' }),
    webViewUrl: Type.String({ format: 'uri', description: 'The web view, already logged in.' }),
  },
  {
    description: 'A new hash key.',
    examples: [
      {
        hashKey: 'mJ3q7Yw0c1nB5uQe8RkXz2VtHs6LpAaDfGgKoIiTt4E',
        expiresAt: '2026-11-15T04:00:00.000Z',
        webViewUrl: 'http://127.0.0.1:3000/webview/mJ3q7Yw0c1nB5uQe8RkXz2VtHs6LpAaDfGgKoIiTt4E',
      },
    ],
  },
)

const REFUSAL_ANSWERS: Record<HashKeyRefusal, ErrorCode> = {
  not_found: 'not_found',
  partner_suspended: 'forbidden',
  // A refused link and a frozen member count as suspended: a partner is not told which it is.
  user_suspended: 'forbidden',
}

interface Deps extends Pick<HttpDeps, 'publicUrl'> {
  issueHashKey: IssueHashKey
}

// Every call issues a new hash key. Only its hash is stored, so an answer that is lost cannot be repeated.
export function registerHash(server: Server, deps: Deps, auth: PartnerAuth): void {
  const { onRequest, preValidation } = auth.named('users:write', ['partner', 'source'])
  server.post(
    '/v1/partners/user/hash',
    {
      onRequest,
      preValidation: [preValidation, acceptOtherSpellings('partner', 'partnerKey')],
      ...jsonBody,
      schema: {
        operationId: 'issueHashKey',
        summary: 'Get a hash key for the web view',
        description:
          'Put after the web view URL, the hash key opens the web view with the user logged in, for one hour. ' +
          'Every call issues a new one.',
        tags: ['Users'],
        security: [...KEY_OR_NETWORK],
        body: UserBody,
        response: { 200: HashAnswer, ...answers(400, 401, 403, 404, 413, 415, 429, 500, 503) },
      },
    },
    async (request) => {
      const { partner } = request.caller!
      const outcome = await deps.issueHashKey(partner.id, userKeyOf(request, request.body.partnerKey))
      if (outcome.linkId !== null) request.about = { kind: 'user', id: outcome.linkId }
      if (outcome.kind === 'refused')
        throw new ApiError(REFUSAL_ANSWERS[outcome.reason]).because(outcome.reason)
      // The one moment at which the key is in the clear. Anyone who has it can open the web view within the hour.
      const hashKey = outcome.key.reveal()
      return {
        hashKey,
        expiresAt: instantText(outcome.expiresAt),
        webViewUrl: `${deps.publicUrl}/webview/${hashKey}`,
      }
    },
  )
}
