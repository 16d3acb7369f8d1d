import { assert } from '#base/assert.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { ExportOwnData, PlanOwnErasure } from '#flows/accounts/own-data.ts'
import { RETENTION, retentionOf } from '#modules/retention/rules.ts'
import { type MemberAccess, requireFresh } from './access.ts'
import { SIGNED_IN, TRUSTED } from './refusal-lists.ts'

const DataFile = object(
  'DataFile',
  {
    fileName: Type.String({ examples: ['ingot-data-2026-11-16.json'] }),
    content: Type.String({ description: 'The file: JSON with a section for each kind of data.' }),
  },
  { description: 'Everything that is kept about the member.' },
)

const Words = object('WordsInBoth', { ko: Type.String(), en: Type.String() })

const ErasureAnswer = object(
  'ErasurePlan',
  {
    lines: Type.Array(
      object('ErasureLine', {
        kind: choice(
          'DataKind',
          RETENTION.map(({ kind }) => kind),
        ),
        what: Words,
        outcome: choice('ErasureOutcome', ['erased', 'kept']),
        until: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
          description: 'Erased after this day. Null: at once, or not on a day that is known.',
        }),
        kept: Words,
        why: Words,
      }),
    ),
  },
  {
    description:
      'What closing the account with `erase` erases and keeps, line by line. Nothing has happened yet.',
  },
)

const ROUTES = {
  exportData: {
    url: '/data-export',
    schema: {
      operationId: 'exportData',
      summary: 'Everything that is kept about the member, as one file',
      description:
        'Needs a recent verification of identity: the file has names, numbers and bank accounts whole.',
      tags: ['Account'],
      response: { 200: DataFile, ...refusals(...TRUSTED) },
    },
  },
  planErasure: {
    url: '/erasure',
    schema: {
      operationId: 'planErasure',
      summary: 'What an erasure would erase and keep',
      tags: ['Account'],
      response: { 200: ErasureAnswer, ...refusals(...SIGNED_IN) },
    },
  },
} as const

interface Deps {
  exportOwnData: ExportOwnData
  planOwnErasure: PlanOwnErasure
}

// A member's data: taken along, or erased with the account.
export function registerOwnData(scope: Server, deps: Deps, access: MemberAccess): void {
  const { exportData, planErasure } = ROUTES

  // POST, because every export writes an audit entry.
  scope.post(exportData.url, { schema: exportData.schema }, async (request, reply) => {
    const { accountId, memberId } = requireFresh(await access.visitor(request))
    assert(accountId !== null, "the member's scope has sessions of accounts only")
    reply.header('cache-control', 'no-store')
    return deps.exportOwnData({ accountId, memberId })
  })

  // Only rules and days, so a session is enough.
  scope.get(planErasure.url, { schema: planErasure.schema }, async (request) => {
    const { memberId } = await access.visitor(request)
    const { lines } = await deps.planOwnErasure(memberId)
    return {
      lines: lines.map(({ kind, outcome, until }) => {
        const { what, kept, why } = retentionOf(kind)
        return { kind, what, outcome, until, kept, why }
      }),
    }
  })
}
