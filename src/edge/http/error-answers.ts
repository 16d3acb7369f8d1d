import { ERRORS, type ErrorCode } from '#edge/http/errors.ts'
import { Type } from '#edge/http/json-schema.ts'
import { ANSWER_NAME, object } from '#edge/http/named-schemas.ts'

// How the API document describes refusals: the plain body by default, RFC 9457 for callers that ask for it.

const CODES = Object.keys(ERRORS) as ErrorCode[]
const isOf = (status: number) => (code: ErrorCode) => ERRORS[code].status === status

const ErrorMessage = object('ErrorMessage', { error: Type.String() })

const InvalidPart = object('InvalidPart', {
  pointer: Type.Optional(Type.String({ description: 'JSON pointer into the body.' })),
  parameter: Type.Optional(Type.String()),
  header: Type.Optional(Type.String()),
  detail: Type.String(),
})

const Problem = object('Problem', {
  type: Type.String({ description: 'Address of the page that explains the code.' }),
  title: Type.String(),
  status: Type.Integer(),
  code: Type.String({ description: 'Stable: switch on this.' }),
  requestId: Type.String(),
  contact: Type.Optional(Type.String({ description: 'Whom to ask, where only a person can help.' })),
  errors: Type.Optional(
    Type.Array(InvalidPart, { description: 'Every bad part of the request, 32 at most.' }),
  ),
})

// A request that does not arrive whole gets them, on every path.
const OF_ANY_REQUEST = [408, 431]

// If several codes share a status, the first one describes it.
export function answers(...statuses: number[]) {
  return Object.fromEntries(
    [...statuses, ...OF_ANY_REQUEST].map((status) => {
      const code = CODES.find(isOf(status))!
      return [status, described(ERRORS[code].message, [code])]
    }),
  )
}

// The same by code, for operations that refuse in several ways with one status. In the order of the catalogue, so that
// the same codes are the same answer.
export function refusals(...given: ErrorCode[]) {
  // The shared lists of codes overlap. Filtering the catalogue also drops what is there twice.
  const codes = CODES.filter((code) => given.includes(code))
  const statuses = new Set(codes.map((code) => ERRORS[code].status))
  return Object.fromEntries(
    [...statuses].map((status) => {
      const same = codes.filter(isOf(status))
      return [status, described(same.map((code) => `\`${code}\``).join(', '), same)]
    }),
  )
}

// OpenAPI allows one answer for each status, so the examples carry the codes (decisions/0052).
function described(description: string, codes: readonly ErrorCode[]) {
  const shown = (value: (code: ErrorCode) => object) =>
    Object.fromEntries(codes.map((code) => [code, { value: value(code) }]))
  return {
    description,
    content: {
      'application/json': {
        schema: ErrorMessage,
        examples: shown((code) => ({ error: ERRORS[code].message })),
        [ANSWER_NAME]: codes.map(pascal).join('Or'),
      },
      'application/problem+json': { schema: Problem, examples: shown(exampleProblem) },
    },
  }
}

// The RFC 9457 body of a code, as an example in the document.
function exampleProblem(code: ErrorCode): object {
  const { status, message } = ERRORS[code]
  return {
    // The document is generated once for all installations, so its examples have the default address.
    type: `http://127.0.0.1:3000/errors/${code}`,
    title: message,
    status,
    code,
    requestId: 'req_TtnYtNQl00000g',
    ...(code === 'invalid_request' ? { errors: [{ pointer: '#/amount', detail: 'must be integer' }] } : {}),
  }
}

// invalid_request becomes InvalidRequest.
const pascal = (code: string) =>
  code
    .split('_')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('')
