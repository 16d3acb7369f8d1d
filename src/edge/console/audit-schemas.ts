import { instantText } from '#edge/http/instant-text.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { ChainDescription } from '#flows/audit/describe-chain.ts'
import { FINDING_KINDS, type Finding } from '#modules/audit/findings.ts'
import type { ListedEntry } from '#modules/audit/list.ts'
import type { ShownPrivate } from '#modules/audit/types.ts'

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])
const moment = () => Type.String({ format: 'date-time' })

// 18 digits always fit into PostgreSQL's bigint.
export const entryParams = Type.Object({ entryId: Type.String({ pattern: '^\\d{1,18}$' }) })

export const ReasonBody = object('AuditReason', {
  reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
})

const FindingAnswer = object('AuditFinding', {
  kind: choice('AuditFindingKind', FINDING_KINDS),
  position: orNull(Type.String({ description: 'In the chain.' })),
  entry: orNull(Type.String({ description: 'The number of the entry.' })),
  goodTo: orNull(Type.String({ description: 'Up to this position the chain is as it was anchored.' })),
  at: orNull(Type.String({ description: 'When it was anchored.' })),
})

export const ChainAnswer = object('AuditChain', {
  sealedTo: Type.Integer({ description: 'The last position of the chain.' }),
  sealedAt: orNull(moment()),
  waiting: Type.Integer({ description: 'Entries that wait for their position.' }),
  waitingSeconds: Type.Integer({ description: 'How long the oldest of them has waited.' }),
  backlog: Type.Boolean({ description: 'Entries from before the chain are still being sealed.' }),
  anchors: Type.Array(
    object('AuditAnchor', {
      host: Type.String(),
      folder: Type.String(),
      position: Type.Integer(),
      anchoredAt: moment(),
    }),
    { description: 'The last anchor of each server, newest first.' },
  ),
  verified: orNull(
    object('AuditVerification', {
      at: moment(),
      sealedTo: Type.Integer(),
      finding: orNull(FindingAnswer),
    }),
  ),
})

export function chainJson({ anchors, judged, ...state }: ChainDescription) {
  return {
    sealedTo: Number(state.sealedTo),
    sealedAt: state.sealedAt && instantText(state.sealedAt),
    waiting: Number(state.waiting),
    waitingSeconds: Math.round(state.waitingSeconds),
    backlog: state.backlog,
    anchors: anchors.map(({ host, folder, position, anchoredAt }) => ({
      host,
      folder,
      position: Number(position),
      anchoredAt: instantText(anchoredAt),
    })),
    verified: judged && {
      at: instantText(judged.at),
      sealedTo: Number(judged.sealedTo),
      finding: judged.finding && findingJson(judged.finding),
    },
  }
}

function findingJson({ kind, position, entry, goodTo, at }: Finding) {
  return { kind, position: position ?? null, entry: entry ?? null, goodTo: goodTo ?? null, at: at ?? null }
}

const value = () => orNull(Type.String({ description: 'A text as it is; anything else as JSON.' }))

export const EntryAnswer = object('AuditEntry', {
  entryId: Type.String(),
  at: moment(),
  actor: Type.String(),
  action: Type.String(),
  subject: Type.String(),
  facts: Type.Array(object('AuditFact', { name: Type.String(), value: value() })),
  changes: Type.Array(object('AuditChange', { name: Type.String(), before: value(), after: value() })),
  position: orNull(Type.Integer({ description: 'In the chain; null while it waits.' })),
  private: choice('AuditPrivate', ['none', 'sealed', 'erased', 'lost'], {
    description: 'Whether there is something that a person typed, and where the act came from.',
  }),
})

export function entryJson(entry: ListedEntry) {
  const { id, at, actor, action, subject, details, position } = entry
  // Typed words stay out here. An entry that is not sealed yet still has them in plain text.
  const { before, after, reason: _, note: __, ...facts } = details
  return {
    entryId: String(id),
    at: instantText(at),
    actor,
    action,
    subject,
    facts: Object.entries(facts).map(([name, fact]) => ({ name, value: textOf(fact) })),
    changes: changesOf(before, after),
    position: position === null ? null : Number(position),
    // One that still waits may have its reason in plain: it is sealed with its position.
    private: typeof entry.private === 'string' ? entry.private : ('none' as const),
  }
}

function changesOf(before: unknown, after: unknown) {
  const was = (before ?? {}) as Record<string, unknown>
  const is = (after ?? {}) as Record<string, unknown>
  // A field may be on one side only: it was set for the first time, or removed.
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].map((name) => ({
    name,
    before: textOf(was[name]),
    after: textOf(is[name]),
  }))
}

function textOf(fact: unknown): string | null {
  if (fact === undefined || fact === null) return null
  return typeof fact === 'string' ? fact : JSON.stringify(fact)
}

export const PrivateAnswer = object('AuditPrivatePart', {
  state: choice('AuditPrivateState', ['open', 'none', 'erased', 'lost']),
  reason: orNull(Type.String()),
  from: Type.Array(object('AuditOrigin', { name: Type.String(), value: Type.String() })),
})

export function privateJson(part: ShownPrivate) {
  if (part === null || part === 'sealed') return { state: 'none' as const, reason: null, from: [] }
  if (typeof part === 'string') return { state: part, reason: null, from: [] }
  const from = Object.entries(part.from ?? {}).map(([name, fact]) => ({ name, value: fact }))
  return { state: 'open' as const, reason: part.reason ?? part.note ?? null, from }
}

export const ErasedAnswer = object('AuditErased', { erased: Type.Boolean() })
