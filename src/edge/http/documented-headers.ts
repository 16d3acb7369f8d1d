// The headers of answers, as the partner's document shows them: for each status, and for what only one operation sends.

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }

const HEADERS = {
  'X-Request-Id': {
    description: 'Names this call. Quote it when you ask about one.',
    required: true,
    schema: { type: 'string', examples: ['req_TtnYtNQl00000g'] },
  },
  'WWW-Authenticate': { description: 'How to authenticate.', required: true, schema: text },
  'Retry-After': { description: 'Seconds to wait before the next try.', required: true, schema: count },
  'RateLimit-Limit': { description: 'Requests a second. Not there without a limit.', schema: count },
  'RateLimit-Remaining': { description: 'Requests that are left now.', schema: count },
  'RateLimit-Reset': { description: 'Seconds until all of them are there again.', schema: count },
  'Idempotency-Replayed': {
    description: '`true` if this is the first answer under the idempotency key, given again.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const

type Name = keyof typeof HEADERS

const OF_STATUS: Readonly<Record<string, readonly Name[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}
const OF_OPERATION: Readonly<Record<string, readonly Name[]>> = {
  'buyGiftCard 200': ['Idempotency-Replayed'],
}
// Given before it is known who calls.
const BEFORE_THE_CALLER = new Set(['401', '408', '431'])
const OF_THE_RATE = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

interface Answer {
  $ref?: string
  headers?: object
}
interface Document {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, Answer> }>>
  components: { responses: Record<string, Answer>; headers?: object }
}

// Written into the document, where each header stands once.
export function addHeaders(document: object): object {
  const { paths, components } = document as Document
  for (const { operationId, responses } of Object.values(paths).flatMap((path) => Object.values(path)))
    for (const [status, answer] of Object.entries(responses)) {
      // A refusal is shared by operations. Its status is the same in all of them.
      const name = answer.$ref?.split('/').at(-1)
      const target = name === undefined ? answer : components.responses[name]!
      const names: Name[] = [
        'X-Request-Id',
        ...(OF_STATUS[status] ?? []),
        ...(OF_OPERATION[`${operationId} ${status}`] ?? []),
        ...(BEFORE_THE_CALLER.has(status) ? [] : OF_THE_RATE),
      ]
      target.headers = Object.fromEntries(
        names.map((one) => [one, { $ref: `#/components/headers/${componentOf(one)}` }]),
      )
    }
  const headers = Object.fromEntries(
    Object.entries(HEADERS).map(([name, header]) => [componentOf(name), header]),
  )
  return { ...document, components: { ...components, headers } }
}

const componentOf = (name: string) => name.replaceAll('-', '')
