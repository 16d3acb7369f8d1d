import { type Command, readReason, table, text } from '#app/command.ts'
import { Refused } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { isUuid } from '#base/ids.ts'
import { parseDate } from '#base/time/seoul-time.ts'
import { retryDelivery, startRetry, stopRetry } from '#flows/deliveries/retry-deliveries.ts'
import { type DeliveryRetry, listRetries } from '#modules/deliveries/retries.ts'
import type { RetryRefusal } from '#modules/deliveries/retry.ts'
import { CHANNELS, type Channel } from '#modules/deliveries/types.ts'

const WORDS: Record<RetryRefusal | 'not_found', string> = {
  not_found: 'there is no such message',
  not_failed: 'the message did not fail',
  not_retryable: 'reminders and cancellations are not sent again',
  not_valid: 'the card is used, cancelled or expired',
  arrived: 'the recipient has the card by another message',
  on_its_way: 'another message of this card is on its way, or a provider may have it',
  superseded: 'a later message on this channel failed as well: retry that one',
  too_soon: 'the last message is less than a minute old',
  too_often: 'the card was sent five times within a day',
}

export const deliveryRetry: Command = {
  usage: 'delivery retry ID --reason TEXT\nID is the number of the message, as the console shows it.',
  summary: 'send a failed message again, if no provider may have it',
  positionals: ['id'],
  options: { reason: { type: 'string' } },
  async run({ runtime, args, options, actor }) {
    if (!/^\d{1,18}$/.test(args.id!)) throw new UsageError('a message is named by its number')
    const reason = readReason({ options })
    const outcome = await retryDelivery(runtime.database, { id: BigInt(args.id!), actor, reason })
    if (outcome.kind === 'refused') throw new Refused(WORDS[outcome.reason])
    const { cardId, channel } = outcome
    return { json: { cardId, channel }, text: `queued: card ${cardId} by ${channel}` }
  },
}

function readDay(options: Record<string, unknown>, name: 'from' | 'to', otherwise: string): string {
  const typed = text(options as never, name)
  if (typed === undefined) return otherwise
  const day = parseDate(typed)
  if (!day) throw new UsageError(`--${name} is a day such as 2026-11-16`)
  return day.toString()
}

const TODAY = { name: 'seoul_today', text: 'select seoul_date(service_now())::text as day' }

export const deliveryRetryMany: Command = {
  usage:
    'delivery retry-many [--failure CODE] [--provider NAME] [--channel alimtalk|text] [--from DAY] [--to DAY] --reason TEXT\n' +
    'Without days: those that failed within the last seven. The worker goes through them; `delivery retries` shows how far it is.',
  summary: 'send failed messages again that have something in common',
  positionals: [],
  options: {
    failure: { type: 'string' },
    provider: { type: 'string' },
    channel: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    reason: { type: 'string' },
  },
  async run({ runtime, options, actor }) {
    const { database } = runtime
    const channel = text(options, 'channel') ?? null
    if (channel !== null && !CHANNELS.includes(channel as Channel))
      throw new UsageError(`--channel is ${CHANNELS.join(' or ')}`)
    const [today] = await database.read<{ day: string }>(TODAY, [])
    const to = readDay(options, 'to', today!.day)
    const from = readDay(options, 'from', Temporal.PlainDate.from(to).subtract({ days: 6 }).toString())
    if (from > to) throw new UsageError('--from is not after --to')
    const filter = {
      channel: channel as Channel | null,
      provider: text(options, 'provider') ?? null,
      reason: text(options, 'failure') ?? null,
      from,
      to,
    }
    const outcome = await startRetry(database, { filter, actor, reason: readReason({ options }) })
    if (outcome.kind === 'refused')
      throw new Refused(
        outcome.reason === 'another_runs'
          ? 'another retry runs: `delivery retries` shows it, `delivery retry-stop` ends it'
          : 'no message failed like that',
      )
    const { id, total } = outcome
    return { json: { id, total }, text: `${id}: the worker goes through ${total} messages` }
  },
}

const skippedText = ({ skipped }: DeliveryRetry) =>
  Object.entries(skipped)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ') || '–'

export const deliveryRetries: Command = {
  usage: 'delivery retries',
  summary: 'list the last retries of many messages, and how far they are',
  positionals: [],
  options: {},
  async run({ runtime }) {
    const retries = await listRetries(runtime.database)
    const rows = retries.map((one) => [
      one.id,
      one.status,
      `${one.queued} of ${one.total}`,
      skippedText(one),
      [one.channel, one.provider, one.reason].filter(Boolean).join(' ') || 'any',
      `${one.from}..${one.to}`,
      one.askedBy,
    ])
    const header = ['id', 'status', 'queued', 'left alone', 'failed by', 'days', 'asked by']
    const json = retries.map(({ lastId: _, throughId: __, createdAt, endedAt, reason, ...rest }) => ({
      ...rest,
      failure: reason,
      createdAt: createdAt.toString(),
      endedAt: endedAt?.toString() ?? null,
    }))
    return { json, text: rows.length > 0 ? table(header, rows) : 'there are none' }
  },
}

export const deliveryRetryStop: Command = {
  usage: 'delivery retry-stop ID --reason TEXT',
  summary: 'stop a retry of many messages; what was queued is sent',
  positionals: ['id'],
  options: { reason: { type: 'string' } },
  async run({ runtime, args, options, actor }) {
    if (!isUuid(args.id!)) throw new UsageError('a retry is named by its id')
    const command = { id: args.id!, actor, reason: readReason({ options }) }
    const outcome = await stopRetry(runtime.database, command)
    if (outcome.kind === 'refused')
      throw new Refused(
        outcome.reason === 'not_found' ? 'there is no such retry' : 'it does not run any more',
      )
    return { json: { stopped: true }, text: 'stopped' }
  },
}
