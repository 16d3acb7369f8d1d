import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import { figureOf } from '#flows/kit/act-events.ts'
import {
  readCursor,
  type TimelineCursor,
  type TimelineEvent,
  type TimelinePage,
  writeCursor,
} from '#flows/kit/timeline.ts'
import type { ShownTransfer, TransferSide } from '#modules/ledger/shown-transfers.ts'
import { isAllowed, type Permission } from '#modules/staff/permissions.ts'
import type { Staff } from '#modules/staff/types.ts'
import { STAFF_BODY, STAFF_ONLY } from './refusal-lists.ts'

// What the pages of all objects have in common.

export const moment = Type.String({ format: 'date-time', examples: ['2026-11-15T03:00:00.000Z'] })
export const maybeMoment = Type.Union([moment, Type.Null()])
export const maybeText = Type.Union([Type.String(), Type.Null()])
// Below zero, too: a prepaid balance or a correction.
export const won = Type.Integer({
  description: 'Won.',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
})
export const grams = Type.String({ pattern: '^[0-9]+\\.[0-9]{4}$', examples: ['1.2345'] })

export const reason = Type.String({
  description: 'Why. It goes into the audit log; put no personal data into it.',
  minLength: 1,
  maxLength: 500,
  // At least one character that is not a blank: an empty reason explains nothing.
  pattern: '\\S',
})

export const ReasonBody = object('ReasonGiven', { reason })

// How looking at an object, and acting on it, may be refused.
export const readRefusals = refusals('not_found', ...STAFF_ONLY)
export const actRefusals = refusals('not_found', 'conflict', 'proof_required', ...STAFF_BODY)

// What an act answers that may take two people.
export const WaitingAnswer = object('ActAsked', {
  waiting: Type.Boolean({ description: 'True: a second person has to approve it.' }),
  requestId: maybeText,
})

const KINDS = [
  'card',
  'member',
  'partner',
  'user',
  'order',
  'delivery',
  'withdrawal',
  'request',
  'key',
  'api_request',
] as const

const ObjectRef = object(
  'ObjectRef',
  { kind: choice('ObjectKind', KINDS), id: Type.String() },
  { description: 'Another object, which has a page.' },
)

export const maybeRef = Type.Union([ObjectRef, Type.Null()])

const TransferAccount = object('TransferAccount', {
  id: Type.Union([Type.String(), Type.Null()], { description: 'Null where it may not be known.' }),
  kind: Type.String({ examples: ['partner_receivable', 'holding', 'outstanding_cards'] }),
  owner: maybeRef,
})

export const Transfer = object('Transfer', {
  id: Type.String(),
  kind: Type.String({ examples: ['issue', 'redeem', 'buy'] }),
  at: moment,
  asset: choice('Asset', ['KRW_POINT', 'KRW', 'XAU', 'XAG']),
  amount: Type.String({ description: 'In `unit`.', examples: ['50000', '1.2345'] }),
  unit: choice('Unit', ['KRW', 'g']),
  act: Type.String({ description: 'The id that all transfers of one act share.' }),
  cardId: maybeText,
  from: TransferAccount,
  to: TransferAccount,
})

export function transferJson(transfer: ShownTransfer) {
  const { id, kind, at, asset, amount, groupId, cardId, from, to } = transfer
  return {
    id: id.toString(),
    kind,
    at: instantText(at),
    asset,
    ...figureOf(asset, amount),
    act: groupId,
    cardId,
    from: sideJson(from),
    to: sideJson(to),
  }
}

function sideJson({ accountId, kind, owner }: TransferSide) {
  // Zero stands for an account that this reader may not know.
  return { id: accountId === 0n ? null : accountId.toString(), kind, owner }
}

export const Transfers = object('Transfers', {
  transfers: Type.Array(Transfer, { description: 'Newest first.' }),
  next: Type.Union([Type.String(), Type.Null()], { description: 'Where the next page begins.' }),
})

const TimelineDetail = object('TimelineDetail', { name: Type.String(), value: Type.String() })

const TimelineEntry = object('TimelineEvent', {
  at: moment,
  source: choice('TimelineSource', ['state', 'money', 'message', 'audit', 'request']),
  what: Type.String({ examples: ['card.issued', 'delivery.failed', 'card.void'] }),
  by: Type.Union([Type.String(), Type.Null()], { description: 'Who; null if the service did it.' }),
  from: Type.Array(TimelineDetail, {
    description: 'Where from, as far as it is known. Empty for a reader who may not know.',
  }),
  details: Type.Array(TimelineDetail),
  object: maybeRef,
})

export const Timeline = object(
  'Timeline',
  {
    events: Type.Array(TimelineEntry),
    next: Type.Union([Type.String(), Type.Null()], { description: 'Where the next page begins.' }),
  },
  { description: 'Everything that happened to the object, newest first.' },
)

const TimelineQuery = Type.Object({ below: Type.Optional(Type.String({ maxLength: 8_000 })) })

// Of the route that goes on with the timeline of one object.
export const timelineSchema = <Of extends { params: unknown; tags: string[] }>(
  of: Of,
  operationId: string,
) => ({
  ...of,
  operationId,
  summary: 'What happened, further back',
  querystring: TimelineQuery,
  response: { 200: Timeline, ...readRefusals },
})

export function timelineJson({ events, next }: TimelinePage) {
  return { events: events.map(eventJson), next: next && writeCursor(next) }
}

function eventJson({ at, from, details, object: ref, ...event }: TimelineEvent) {
  const { before, after, ...facts } = details
  return {
    ...event,
    at: instantText(at),
    from: factsJson(from),
    details: [...factsJson(facts), ...changesJson(before, after)],
    object: ref,
  }
}

function factsJson(facts: Readonly<Record<string, unknown>>) {
  return Object.entries(facts)
    .map(([name, value]) => ({ name, value: factText(value) }))
    .filter(({ value }) => value !== '')
}

// What an act changed, value by value. An adjustment names one value, without a name.
function changesJson(before: unknown, after: unknown) {
  const isNamed = (value: unknown) => typeof value === 'object' && value !== null
  if (!isNamed(before) && !isNamed(after)) return factsJson({ before, after })
  const was = (before ?? {}) as Record<string, unknown>
  const is = (after ?? {}) as Record<string, unknown>
  // An entry may have whole objects before and after. Only what differs is shown.
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((name) => factText(was[name]) !== factText(is[name]))
    .map((name) => ({
      name,
      value: [was[name], is[name]]
        .map(factText)
        .filter((text) => text !== '')
        .join(' → '),
    }))
}

function factText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(factText).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

// Who looks at a page, as its flow wants to know it. What people typed into audit entries may name someone: it is for those
// who may act on such an object.
export function readerOf({ partnerId, role }: Staff, ...acts: Permission[]) {
  return { partnerId, withWords: acts.some((permission) => isAllowed(role, permission)) }
}

export function cursorOf(text: string | undefined): TimelineCursor {
  const cursor = readCursor(text)
  if (!cursor)
    throw new ApiError('invalid_request', [{ parameter: 'below', detail: 'must come from a page' }])
  return cursor
}

export const textOf = (at: Temporal.Instant | null | undefined) => (at ? instantText(at) : null)

// A thing that is not there, or belongs to another partner: both look the same.
export function orNotFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ApiError('not_found')
  return found
}
