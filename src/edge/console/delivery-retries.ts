import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type {
  RetryOneOutcome,
  StartRetryOutcome,
  StopRetryOutcome,
} from '#flows/deliveries/retry-deliveries.ts'
import type { DeliveryRetry, RetryFilter } from '#modules/deliveries/retries.ts'
import type { FailureFigures } from '#modules/figures/read.ts'
import { parsePeriod } from '#modules/usage/rules.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { refusedBy } from './acting-person.ts'
import { FAILURES, failureJson } from './delivery-failures.ts'
import { moment, ReasonBody, readerOf, reason } from './object-parts.ts'
import { STAFF_BODY, STAFF_ONLY } from './refusal-lists.ts'

const day = Type.String({ format: 'date', description: 'A day in Seoul.' })
const CHANNEL = choice('RetryChannel', ['alimtalk', 'text'])
const word = Type.String({ minLength: 1, maxLength: 100 })
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])
const count = Type.Integer({ minimum: 0 })

const RETRY = object('DeliveryRetry', {
  id: Type.String(),
  channel: orNull(CHANNEL),
  provider: orNull(Type.String()),
  failure: orNull(Type.String()),
  from: day,
  to: day,
  askedBy: Type.String(),
  why: Type.Union([Type.String(), Type.Null()], { description: 'Null for callers who may not retry.' }),
  createdAt: moment,
  status: choice('DeliveryRetryStatus', ['running', 'stopped', 'done']),
  endedAt: orNull(moment),
  endedBy: orNull(Type.String()),
  total: count,
  queued: count,
  skipped: Type.Array(object('SkippedMessages', { reason: Type.String(), messages: count })),
  left: Type.Integer({ description: 'Not looked at yet.', minimum: 0 }),
})

const HealthAnswer = object(
  'DeliveryHealth',
  { from: day, to: day, failures: FAILURES, retries: Type.Array(RETRY) },
  { description: 'Failures of the last days by reason and provider, and what was retried.' },
)

const RetryMany = object('RetryMany', {
  failure: Type.Optional(Type.String({ ...word, description: 'The reason that the messages failed for.' })),
  provider: Type.Optional(word),
  channel: Type.Optional(CHANNEL),
  from: day,
  to: day,
  reason,
})

const tags = ['Deliveries']
const SCHEMAS = {
  health: {
    operationId: 'deliveryHealth',
    summary: 'Failures by reason and provider, and retries',
    description: 'Takes `deliveries.read`.',
    tags,
    querystring: Type.Object({ days: Type.Optional(Type.Enum(['1', '7', '30'], { type: 'string' })) }),
    response: { 200: HealthAnswer, ...refusals(...STAFF_ONLY) },
  },
  retryOne: {
    operationId: 'retryDelivery',
    summary: 'Send a failed message again',
    description: 'Takes `deliveries.retry`. What a provider may have is not sent twice.',
    tags,
    params: Type.Object({ deliveryId: Type.String({ pattern: '^[0-9]{1,18}$' }) }),
    body: ReasonBody,
    response: {
      200: object('RetryQueued', { cardId: Type.String(), channel: CHANNEL }),
      ...refusals('not_found', 'conflict', ...STAFF_BODY),
    },
  },
  retryMany: {
    operationId: 'retryDeliveries',
    summary: 'Send many failed messages again',
    description:
      'Takes `deliveries.retry`. The worker goes through them; the list of retries shows how far it is.',
    tags,
    body: RetryMany,
    response: {
      200: object('RetryStarted', { id: Type.String(), total: count }),
      ...refusals('conflict', ...STAFF_BODY),
    },
  },
  stop: {
    operationId: 'stopDeliveryRetry',
    summary: 'Stop a retry of many messages',
    description: 'Takes `deliveries.retry`. What was queued is sent.',
    tags,
    params: Type.Object({ retryId: uuid() }),
    body: ReasonBody,
    response: {
      200: object('RetryStopped', { stopped: Type.Boolean() }),
      ...refusals('not_found', 'conflict', ...STAFF_BODY),
    },
  },
} as const

type Who = { actor: string; reason: string }

interface RetryDeps {
  // In Seoul, by the service's clock.
  today(): Promise<Temporal.PlainDate>
  readFailures(days: number): Promise<FailureFigures[]>
  listRetries(): Promise<DeliveryRetry[]>
  retryDelivery(command: Who & { id: bigint }): Promise<RetryOneOutcome>
  startRetry(command: Who & { filter: RetryFilter }): Promise<StartRetryOutcome>
  stopRetry(command: Who & { id: string }): Promise<StopRetryOutcome>
}

// The worker goes through many messages in small steps. So a retry is started here and looked at later.
export function registerDeliveryRetries(scope: Server, deps: RetryDeps, access: ConsoleAccess): void {
  const seen = access.may('deliveries.read', 'operator')
  const may = access.may('deliveries.retry', 'operator')

  scope.get('/delivery-health', { ...seen, schema: SCHEMAS.health }, async (request) => {
    const days = Number(request.query.days ?? '7')
    const { withWords } = readerOf(staffOf(request), 'deliveries.retry')
    const to = await deps.today()
    return {
      // Today is one of the days, hence one less.
      from: to.subtract({ days: days - 1 }).toString(),
      to: to.toString(),
      failures: (await deps.readFailures(days)).map(failureJson),
      retries: (await deps.listRetries()).map((one) => retryJson(one, withWords)),
    }
  })

  scope.post(
    '/deliveries/:deliveryId/retry',
    { ...may, schema: SCHEMAS.retryOne, ...jsonBody },
    async (request) => {
      const { actor } = staffOf(request)
      const id = BigInt(request.params.deliveryId)
      const outcome = await deps.retryDelivery({ id, actor, reason: request.body.reason })
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      return { cardId: outcome.cardId, channel: outcome.channel }
    },
  )

  scope.post('/delivery-retries', { ...may, schema: SCHEMAS.retryMany, ...jsonBody }, async (request) => {
    const { actor } = staffOf(request)
    // `failure` is why the messages failed, `reason` is why the person retries them.
    const { failure = null, provider = null, channel = null, from, to, reason } = request.body
    if (!parsePeriod(from, to))
      throw new ApiError('invalid_request', [{ pointer: '#/to', detail: 'must not be before from' }])
    const filter = { channel, provider, reason: failure, from, to }
    const outcome = await deps.startRetry({ filter, actor, reason })
    if (outcome.kind === 'refused') throw refusedBy(outcome)
    return { id: outcome.id, total: outcome.total }
  })

  scope.post(
    '/delivery-retries/:retryId/stop',
    { ...may, schema: SCHEMAS.stop, ...jsonBody },
    async (request) => {
      const { actor } = staffOf(request)
      const outcome = await deps.stopRetry({ id: request.params.retryId, actor, reason: request.body.reason })
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      return { stopped: true }
    },
  )
}

// What a person typed is for those who may retry, as on the pages of objects.
function retryJson(retry: DeliveryRetry, withWords: boolean) {
  const { id, channel, provider, reason, from, to, askedBy, status, endedBy, total, queued } = retry
  const skipped = Object.entries(retry.skipped).map(([name, messages]) => ({ reason: name, messages }))
  const looked = queued + skipped.reduce((sum, { messages }) => sum + messages, 0)
  return {
    id,
    channel,
    provider,
    failure: reason,
    from,
    to,
    askedBy,
    why: withWords ? retry.why : null,
    createdAt: instantText(retry.createdAt),
    status,
    endedAt: retry.endedAt && instantText(retry.endedAt),
    endedBy,
    total,
    queued,
    skipped,
    // A message that was delivered after all is no longer failed, and nobody looks at it.
    left: status === 'done' ? 0 : Math.max(0, total - looked),
  }
}
