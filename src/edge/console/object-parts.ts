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
import type { Person } from '#modules/approvals/types.ts'
import type { ShownTransfer, TransferSide } from '#modules/ledger/shown-transfers.ts'
import type { Staff } from '#modules/staff/types.ts'

// What the pages of all objects have in common.

export const moment = Type.String({ format: 'date-time', examples: ['2026-11-15T03:00:00.000Z'] })
export const maybeMoment = Type.Union([moment, Type.Null()])
export const maybeText = Type.Union([Type.String(), Type.Null()])
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
  pattern: '\\S',
})

export const ReasonBody = object('ReasonGiven', { reason })

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
] as const

const ObjectRef = object(
  'ObjectRef',
  { kind: choice('ObjectKind', KINDS), id: Type.String() },
  { description: 'Another object, which has a page.' },
)

const maybeRef = Type.Union([ObjectRef, Type.Null()])

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
  return { id: accountId === 0n ? null : accountId.toString(), kind, owner }
}

export const Transfers = object('Transfers', {
  transfers: Type.Array(Transfer, { description: 'Newest first.' }),
  next: Type.Union([Type.String(), Type.Null()], { description: 'Where the next page begins.' }),
})

const TimelineEntry = object('TimelineEvent', {
  at: moment,
  source: choice('TimelineSource', ['state', 'money', 'message', 'audit']),
  what: Type.String({ examples: ['card.issued', 'delivery.failed', 'card.void'] }),
  by: Type.Union([Type.String(), Type.Null()], { description: 'Who; null if the service did it.' }),
  from: Type.Union([Type.String(), Type.Null()], { description: 'Where from, as far as it is known.' }),
  details: Type.Array(object('TimelineDetail', { name: Type.String(), value: Type.String() })),
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

export const TimelineQuery = Type.Object({ below: Type.Optional(Type.String({ maxLength: 8_000 })) })

export function timelineJson({ events, next }: TimelinePage) {
  return { events: events.map(eventJson), next: next && writeCursor(next) }
}

function eventJson({ at, details, object: ref, ...event }: TimelineEvent) {
  const facts = Object.entries(details).filter(([, value]) => value !== null && value !== undefined)
  return {
    ...event,
    at: instantText(at),
    details: facts.map(([name, value]) => ({ name, value: factText(value) })),
    object: ref,
  }
}

function factText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function cursorOf(text: string | undefined): TimelineCursor {
  const cursor = readCursor(text)
  if (!cursor)
    throw new ApiError('invalid_request', [{ parameter: 'below', detail: 'must come from a page' }])
  return cursor
}

// Who acts, as flows for two people want to know it.
export function personOf({ actor, staffId, singlePerson }: Staff): Person {
  return { actor, staffId, singlePerson }
}

export const textOf = (at: Temporal.Instant | null | undefined) => (at ? instantText(at) : null)

// A thing that is not there, or belongs to another partner: both look the same.
export function orNotFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ApiError('not_found')
  return found
}

// A flow's refusal as an answer: its stable code is the detail, which the page puts into words.
export function refuse({ reason: code }: { reason: string }, retryAfterSeconds?: number): ApiError {
  if (/(?:^|_)not_found$/.test(code)) return new ApiError('not_found')
  return new ApiError('conflict', [{ pointer: '#', detail: code }], retryAfterSeconds)
}
