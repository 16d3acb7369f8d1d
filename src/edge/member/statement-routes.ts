import { refusals } from '#edge/http/error-answers.ts'
import type { ErrorCode } from '#edge/http/errors.ts'
import * as h from './history-schemas.ts'

const ANY: ErrorCode[] = ['invalid_request', 'internal_error', 'service_unavailable']
const BODY: ErrorCode[] = ['forbidden', 'request_too_large', 'unsupported_media_type', ...ANY]
const SIGNED_IN: ErrorCode[] = ['unauthorized', 'too_many_requests', 'step_up_required']

export const STATEMENT_ROUTES = {
  issueStatement: {
    method: 'POST',
    url: '/statements',
    schema: {
      operationId: 'issueStatement',
      summary: 'Issue a statement with a number and a check code',
      description:
        'What it says is frozen: later movements do not change it. With `fullName` identity has to be verified in this ' +
        'session, ten minutes ago at most. The same `requestId` again is the same statement.',
      tags: ['Assets'],
      body: h.IssueBody,
      response: { 200: h.IssuedAnswer, ...refusals('conflict', ...SIGNED_IN, ...BODY) },
    },
  },
  getIssuedStatement: {
    method: 'GET',
    url: '/statements/:number',
    schema: {
      operationId: 'getIssuedStatement',
      summary: 'A statement that was issued, as it was',
      description: 'One with the full name needs an identity that was verified ten minutes ago at most.',
      tags: ['Assets'],
      params: h.IssuedParams,
      response: { 200: h.IssuedAnswer, ...refusals('not_found', ...SIGNED_IN, ...ANY) },
    },
  },
  checkStatement: {
    method: 'POST',
    url: '/statements/check',
    schema: {
      operationId: 'checkStatement',
      summary: 'Check a printed statement by its number and check code',
      description: 'Needs no session. A wrong code is answered like a number that was never issued.',
      tags: ['Assets'],
      body: h.CheckBody,
      response: { 200: h.CheckAnswer, ...refusals('not_found', 'too_many_requests', ...BODY) },
    },
  },
} as const
