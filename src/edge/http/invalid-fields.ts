import type { FastifyError, FastifyRequest } from 'fastify'

// Enough to correct a request, and a small answer however bad the request is.
const MAX_PARTS = 32

// Names the wrong part of a request by place and rule, never by value.
export type InvalidField = (
  | { pointer: string; detail: string }
  | { parameter: string; detail: string }
  | { header: string; detail: string }
) & {
  // The caller chose the place's name. It is told to the caller, and kept nowhere.
  isTyped?: true
}

// What a route checks beyond its schema. It also runs for requests that the schema refused, so fields may have any
// type.
export type FieldRules = (request: FastifyRequest) => InvalidField[] | Promise<InvalidField[]>

const CONTEXTS = ['params', 'body', 'querystring', 'headers'] as const
type Failure = NonNullable<FastifyError['validation']>[number]

// Collects every bad part of a refused request. The framework stops at the first of body, query and headers, and the
// schema runs before the checks in code. Good requests never get here.
export async function gatherInvalidFields(
  request: FastifyRequest,
  found: readonly InvalidField[],
): Promise<readonly InvalidField[]> {
  const parts = [...found]
  for (const context of CONTEXTS) {
    const validate = request.getValidationFunction(context)
    const data = context === 'querystring' ? request.query : request[context]
    if (!validate || (context === 'body' && data === undefined) || validate(data)) continue
    parts.push(...(validate.errors ?? []).map((failure) => toInvalidField(failure as Failure, context)))
  }
  const { fieldRules } = request.routeOptions.config
  if (fieldRules) parts.push(...(await fieldRules(request)))
  const byPlace = new Map<string, InvalidField>()
  // One finding for each place. What the schema says comes before the rules in code.
  for (const part of parts) if (!byPlace.has(placeOf(part))) byPlace.set(placeOf(part), part)
  return [...byPlace.values()].slice(0, MAX_PARTS)
}

// Made of the schema's own names and of positions, never of text that the caller chose, unless it is said to be typed.
export function placeOf(part: InvalidField): string {
  if ('pointer' in part) return part.pointer
  return 'parameter' in part ? part.parameter : part.header
}

// A JSON pointer for a field of the body; a name for query, path and headers.
export function toInvalidField(failure: Failure, context: string | undefined): InvalidField {
  const missing = failure.params.missingProperty
  const path = failure.instancePath + (typeof missing === 'string' ? `/${missing}` : '')
  const detail = typeof missing === 'string' ? 'is required' : phrase(failure)
  if (context === 'querystring' || context === 'params') return { parameter: path.slice(1), detail }
  if (context === 'headers') return { header: path.slice(1), detail }
  return { pointer: `#${path}`, detail }
}

// Ajv's own messages for these two rules do not name the allowed values.
function phrase({ keyword, params, message }: Failure): string {
  if (keyword === 'const') return `must be ${params.allowedValue}`
  if (keyword === 'enum') return `must be one of ${[params.allowedValues].flat().join(', ')}`
  return message ?? 'is not valid'
}

// For rules about fields whose type the schema may have refused.
export function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

// Every schema refuses longer texts, so they are not checked further.
const MAX_TEXT = 255

// True for anything that the schema refuses anyway, so that a part is reported once.
export function unlessText(value: unknown, holds: (text: string) => boolean): boolean {
  return typeof value !== 'string' || value.length > MAX_TEXT || holds(value)
}
