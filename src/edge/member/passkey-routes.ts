import { refusals } from '#edge/http/error-answers.ts'
import type { ErrorCode } from '#edge/http/errors.ts'
import * as p from './passkey-schemas.ts'
import { SessionAnswer } from './schemas.ts'

const ANY: ErrorCode[] = ['invalid_request', 'internal_error', 'service_unavailable']
const BODY: ErrorCode[] = ['forbidden', 'request_too_large', 'unsupported_media_type', ...ANY]
const ACT: ErrorCode[] = ['unauthorized', 'not_found', 'too_many_requests', 'step_up_required', ...BODY]

const UNAVAILABLE =
  'Where `PUBLIC_URL` is an IP address, or plain http on another machine, there are no passkeys: 404.'

export const PASSKEY_ROUTES = {
  beginPasskeyLogin: {
    method: 'POST',
    url: '/login/passkey/options',
    schema: {
      operationId: 'beginPasskeyLogin',
      summary: 'What the browser needs to ask for a passkey',
      description: `Kept for five minutes and used once, in the browser that asked. ${UNAVAILABLE}`,
      tags: ['Session'],
      response: { 200: p.UseAnswer, ...refusals('not_found', ...BODY) },
    },
  },
  logInWithPasskey: {
    method: 'POST',
    url: '/login/passkey',
    schema: {
      operationId: 'logInWithPasskey',
      summary: 'Log in with a passkey',
      tags: ['Session'],
      body: p.UsedBody,
      response: {
        200: SessionAnswer,
        ...refusals('passkey_failed', 'not_found', 'too_many_requests', ...BODY),
      },
    },
  },
  listPasskeys: {
    method: 'GET',
    url: '/passkeys',
    schema: {
      operationId: 'listPasskeys',
      summary: "The member's passkeys",
      tags: ['Account'],
      response: {
        200: p.PasskeysAnswer,
        ...refusals('unauthorized', 'not_found', 'too_many_requests', ...ANY),
      },
    },
  },
  beginPasskey: {
    method: 'POST',
    url: '/passkeys/options',
    schema: {
      operationId: 'beginPasskey',
      summary: 'What the browser needs to make a passkey',
      description: `Identity has to be verified in this session within ten minutes. ${UNAVAILABLE}`,
      tags: ['Account'],
      response: { 200: p.MakeAnswer, ...refusals('conflict', ...ACT) },
    },
  },
  addPasskey: {
    method: 'POST',
    url: '/passkeys',
    schema: {
      operationId: 'addPasskey',
      summary: 'Add the passkey that the browser made',
      description: 'The member is told by text.',
      tags: ['Account'],
      body: p.MadeBody,
      response: { 200: p.PasskeysAnswer, ...refusals('passkey_failed', 'conflict', ...ACT) },
    },
  },
  renamePasskey: {
    method: 'POST',
    url: '/passkeys/:passkeyId',
    schema: {
      operationId: 'renamePasskey',
      summary: 'Give a passkey another name',
      tags: ['Account'],
      params: p.PasskeyParams,
      body: p.PasskeyNameBody,
      response: { 200: p.PasskeysAnswer, ...refusals(...ACT) },
    },
  },
  removePasskey: {
    method: 'DELETE',
    url: '/passkeys/:passkeyId',
    schema: {
      operationId: 'removePasskey',
      summary: 'Remove a passkey',
      description: 'It no longer logs in. The member is told by text.',
      tags: ['Account'],
      params: p.PasskeyParams,
      response: { 200: p.PasskeysAnswer, ...refusals(...ACT) },
    },
  },
} as const
