import Type from 'typebox'
import { ERRORS, type ErrorCode } from '#edge/http/errors.ts'

// How the document describes refusals: the plain body by default, RFC 9457 for those who ask for it.
// A status that several codes share is described by the first.
const byStatus = new Map<number, string>(
  Object.values(ERRORS)
    .toReversed()
    .map((error) => [error.status, error.message]),
)

const Problem = Type.Object({
  type: Type.String({ description: 'Address of the page that explains the code.' }),
  title: Type.String(),
  status: Type.Integer(),
  code: Type.String({ description: 'Stable: switch on this.' }),
  requestId: Type.String(),
  contact: Type.Optional(Type.String({ description: 'Whom to ask, where only a person can help.' })),
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        pointer: Type.Optional(Type.String({ description: 'JSON pointer into the body.' })),
        parameter: Type.Optional(Type.String()),
        header: Type.Optional(Type.String()),
        detail: Type.String(),
      }),
      { description: 'Every bad part of the request, 32 at most.' },
    ),
  ),
})

export function answers(...statuses: number[]) {
  return Object.fromEntries(statuses.map((status) => [status, answer(status)]))
}

function answer(status: number) {
  return described(byStatus.get(status) ?? '', [byStatus.get(status) ?? ''])
}

// The same by code, for operations that refuse in several ways with one status.
export function refusals(...codes: ErrorCode[]) {
  const statuses = new Set(codes.map((code) => ERRORS[code].status))
  return Object.fromEntries(
    [...statuses].map((status) => {
      const same = [...new Set(codes)].filter((code) => ERRORS[code].status === status)
      const messages = same.map((code) => ERRORS[code].message)
      return [status, described(same.map((code) => `\`${code}\``).join(', '), messages)]
    }),
  )
}

function described(description: string, messages: readonly string[]) {
  const plain = Type.Object({ error: Type.String() }, { examples: messages.map((error) => ({ error })) })
  return {
    description,
    content: { 'application/json': { schema: plain }, 'application/problem+json': { schema: Problem } },
  }
}
