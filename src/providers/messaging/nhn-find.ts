import type { Answer } from '#base/http/client.ts'
import { textOf } from '#base/text/untrusted-json.ts'
import { outcomeWithout } from './caller.ts'
import { NHN_PAGE, nhnPage, nhnTime, type Product } from './nhn-list.ts'
import type { Asked, Channel, MessageOutcome } from './port.ts'
import { inGroups, inParallel } from './work.ts'

type NoAnswer = Exclude<Answer, { kind: 'answered' }>

const AT_ONCE = 4
const BEFORE_MS = 5 * 60_000
const AFTER_MS = 30 * 60_000

// All messages of one request in one question where the request is known; otherwise each by its grouping key.
export async function findAtNhn(
  products: Readonly<Record<Channel, Product>>,
  asked: readonly Asked[],
): Promise<MessageOutcome[]> {
  const questions = inGroups(asked, ({ channel, messageId, key, attempt }) =>
    messageId === null ? `${channel} ${key}:${attempt}` : `${channel} ${requestOf(messageId)}`,
  )
  const outcomes = new Map<Asked, MessageOutcome>()
  const trouble = new Map<Channel, NoAnswer>()
  const isLate = products.text.caller.startClock()
  await inParallel(questions, AT_ONCE, async (chunk) => {
    const { channel } = chunk[0]!
    // One question that could not be put is enough to know that the product cannot be asked now.
    if (isLate()) trouble.set(channel, { kind: 'in_doubt', reason: 'timeout' })
    const found = trouble.get(channel) ?? (await list(products[channel], channel, queryOf(chunk)))
    if (!(found instanceof Map)) trouble.set(channel, found)
    for (const one of chunk) outcomes.set(one, found instanceof Map ? outcomeOf(found, one) : doubtOf(found))
  })
  return asked.map((one) => outcomes.get(one)!)
}

function requestOf(messageId: string): string {
  return messageId.split('/')[0]!
}

function queryOf(chunk: readonly Asked[]): URLSearchParams {
  const { messageId, key, attempt, channel, sentAt } = chunk[0]!
  if (messageId !== null) {
    return new URLSearchParams({ requestId: requestOf(messageId), pageNum: '1', pageSize: String(NHN_PAGE) })
  }
  return new URLSearchParams({
    startRequestDate: nhnTime(sentAt.epochMilliseconds - BEFORE_MS, channel),
    endRequestDate: nhnTime(sentAt.epochMilliseconds + AFTER_MS, channel),
    recipientGroupingKey: `${key}:${attempt}`,
    pageNum: '1',
    pageSize: '15',
  })
}

async function list(
  product: Product,
  channel: Channel,
  query: URLSearchParams,
): Promise<Map<string, MessageOutcome> | NoAnswer> {
  const entries = await nhnPage(product, channel, query)
  if (!Array.isArray(entries)) return entries
  const found = new Map<string, MessageOutcome>()
  for (const { messageId, outcome, entry } of entries) {
    found.set(messageId, outcome)
    found.set(textOf(entry.recipientGroupingKey) ?? '', outcome)
  }
  return found
}

function outcomeOf(found: Map<string, MessageOutcome>, one: Asked): MessageOutcome {
  return found.get(one.messageId ?? `${one.key}:${one.attempt}`) ?? { kind: 'absent' }
}

function doubtOf(answer: NoAnswer): MessageOutcome {
  const outcome = outcomeWithout(answer)
  return outcome.kind === 'unknown' ? outcome : { kind: 'unknown', reason: 'connection_lost' }
}
