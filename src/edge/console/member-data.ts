import { refusals } from '#edge/http/error-answers.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { eraseMember } from '#flows/members/erase-member.ts'
import type { ExportCommand, exportMember } from '#flows/members/export-member.ts'
import { RETENTION, retentionOf } from '#modules/retention/rules.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { refusedBy } from './acting-person.ts'
import { actRefusals, maybeText, ReasonBody } from './object-parts.ts'
import { STAFF_ONLY } from './refusal-lists.ts'

const Words = object('WordsInBoth', { ko: Type.String(), en: Type.String() })
const kind = choice(
  'DataKind',
  RETENTION.map((one) => one.kind),
)

const RetentionAnswer = object(
  'RetentionTable',
  {
    kinds: Type.Array(
      object('RetentionOfKind', {
        kind,
        what: Words,
        kept: Words,
        why: Words,
        job: maybeText,
        tables: Type.Array(Type.String()),
      }),
    ),
  },
  { description: 'How long each kind of data of people is kept, why, and the job that erases it.' },
)

const DataFile = object('DataFile', { fileName: Type.String(), content: Type.String() })

const ErasedAnswer = object('ErasedData', {
  lines: Type.Array(
    object('ErasedLine', {
      kind,
      what: Words,
      outcome: choice('ErasureOutcome', ['erased', 'kept']),
      until: maybeText,
      kept: Words,
      why: Words,
    }),
  ),
})

const params = Type.Object({
  memberId: Type.String({ description: 'Member id, account id or login id.', minLength: 1, maxLength: 36 }),
})

const SCHEMAS = {
  retention: {
    operationId: 'retention',
    summary: 'How long data is kept',
    tags: ['Members'],
    response: { 200: RetentionAnswer, ...refusals(...STAFF_ONLY) },
  },
  export: {
    operationId: 'exportMember',
    summary: 'Everything about a member, as one file',
    description: 'Unmasked, to hand over to the person. An audit entry with its reason.',
    tags: ['Members'],
    params,
    body: ReasonBody,
    response: { 200: DataFile, ...actRefusals },
  },
  erase: {
    operationId: 'eraseMember',
    summary: 'Erase the data of a closed account, as far as the law allows',
    tags: ['Members'],
    params,
    body: ReasonBody,
    response: { 200: ErasedAnswer, ...actRefusals },
  },
} as const

export interface MemberDataDeps {
  exportMember(command: ExportCommand): ReturnType<typeof exportMember>
  eraseMember(command: ExportCommand): ReturnType<typeof eraseMember>
}

export function registerMemberData(scope: Server, deps: MemberDataDeps, access: ConsoleAccess): void {
  // The file is unmasked, and an erasure cannot be undone (decisions/0078).
  const guarded = access.mayWithProof('members.data', 'operator')

  scope.get(
    '/retention',
    { ...access.may('members.read', 'operator'), schema: SCHEMAS.retention },
    async () => ({
      kinds: RETENTION.map((one) => ({ ...one, tables: [...one.tables] })),
    }),
  )

  scope.post(
    '/members/:memberId/export',
    { ...guarded, schema: SCHEMAS.export, ...jsonBody },
    async (request, reply) => {
      const { actor } = staffOf(request)
      const { reason } = request.body
      const outcome = await deps.exportMember({ member: request.params.memberId, reason, actor })
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      reply.header('cache-control', 'no-store')
      return outcome.file
    },
  )

  scope.post(
    '/members/:memberId/erase',
    { ...guarded, schema: SCHEMAS.erase, ...jsonBody },
    async (request) => {
      const { actor } = staffOf(request)
      const { reason } = request.body
      const outcome = await deps.eraseMember({ member: request.params.memberId, reason, actor })
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      return {
        lines: outcome.lines.map((line) => {
          // One table has the words, so that answers, pages and documents say the same.
          const { what, kept, why } = retentionOf(line.kind)
          return { ...line, what, kept, why }
        }),
      }
    },
  )
}
