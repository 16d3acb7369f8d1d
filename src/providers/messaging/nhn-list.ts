import type { Secret } from '#base/crypto/secret.ts'
import type { Answer } from '#base/http/client.ts'
import { listOf, recordOf, textOf } from '#base/text/untrusted-json.ts'
import { type Caller, pageWithout } from './caller.ts'
import { nhnStatus } from './nhn-codes.ts'
import type { Channel, ListedMessage, ListedPage, ListWindow, MessageOutcome } from './port.ts'
import { attemptOf, instantOf } from './wire-values.ts'

export interface Product {
  caller: Caller
  path: string
  secretKey: Secret<'nhn'>
}

export const NHN_PAGE = 1_000 // the most they give at once
// They look through 30 days at most, and 90 days back. A day is a list of some hundred pages.
const SPAN_MS = 24 * 60 * 60_000

interface NhnEntry {
  messageId: string
  outcome: MessageOutcome
  entry: Record<string, unknown>
}

// One page of a product's list. It also has the text of each message, which is a secret: nothing here keeps it.
export async function nhnPage(
  product: Product,
  channel: Channel,
  query: URLSearchParams,
): Promise<NhnEntry[] | Exclude<Answer, { kind: 'answered' }>> {
  const answer = await product.caller.find({
    method: 'GET',
    path: `${product.path}?${query}`,
    headers: { 'x-secret-key': product.secretKey.reveal() },
  })
  if (answer.kind !== 'answered') return answer
  const body = recordOf(answer.body)
  if (answer.status >= 400 || recordOf(body.header).isSuccessful !== true) {
    return { kind: 'in_doubt', reason: 'answer_unreadable' }
  }
  const entries =
    channel === 'alimtalk' ? recordOf(body.messageSearchResultResponse).messages : recordOf(body.body).data
  return listOf(entries).map((entry) => {
    const messageId = `${textOf(entry.requestId)}/${textOf(entry.recipientSeq) ?? textOf(entry.mtPr)}`
    const status = textOf(entry.messageStatus) ?? textOf(entry.msgStatus)
    return { messageId, outcome: nhnStatus(channel, status, textOf(entry.resultCode), messageId), entry }
  })
}

// `2026-11-15 18:30` for notifications, with seconds for texts.
export function nhnTime(epochMs: number, channel: Channel): string {
  const at = Temporal.Instant.fromEpochMilliseconds(epochMs)
    .toZonedDateTimeISO('Asia/Seoul')
    .toPlainDateTime()
  return at.toString({ smallestUnit: channel === 'alimtalk' ? 'minute' : 'second' }).replace('T', ' ')
}

// First all notifications, then all texts, a span of time after the other.
interface Place {
  channel: Channel
  fromMs: number
  page: number
}

export async function listAtNhn(
  products: Readonly<Record<Channel, Product>>,
  { from, until }: ListWindow,
  cursor: string | null,
): Promise<ListedPage> {
  const place = readPlace(cursor) ?? { channel: 'alimtalk', fromMs: from.epochMilliseconds, page: 1 }
  const { channel, fromMs, page } = place
  const endMs = Math.min(fromMs + SPAN_MS, until.epochMilliseconds)
  const query = new URLSearchParams({
    startRequestDate: nhnTime(fromMs, channel),
    // Their minutes and seconds count from the start: the next one begins after the last moment that we mean.
    endRequestDate: nhnTime(endMs + 60_000, channel),
    pageNum: String(page),
    pageSize: String(NHN_PAGE),
  })
  const entries = await nhnPage(products[channel], channel, query)
  if (!Array.isArray(entries)) return pageWithout(entries)
  const messages = entries.flatMap((entry) => toListed(entry, channel, fromMs))
  const next = nextPlace(place, entries.length, endMs, { from, until })
  return { kind: 'page', messages, next: next && `${next.channel} ${next.fromMs} ${next.page}` }
}

function readPlace(cursor: string | null): Place | undefined {
  const [, channel, fromMs, page] = /^(alimtalk|text) (\d{1,15}) (\d{1,9})$/.exec(cursor ?? '') ?? []
  return channel === undefined
    ? undefined
    : { channel: channel as Channel, fromMs: Number(fromMs), page: Number(page) }
}

function nextPlace(
  { channel, fromMs, page }: Place,
  found: number,
  endMs: number,
  { from, until }: ListWindow,
): Place | null {
  if (found >= NHN_PAGE) return { channel, fromMs, page: page + 1 }
  if (endMs < until.epochMilliseconds) return { channel, fromMs: endMs, page: 1 }
  return channel === 'alimtalk' ? { channel: 'text', fromMs: from.epochMilliseconds, page: 1 } : null
}

// Only what carries a key of ours: an account may be shared.
function toListed(
  { messageId, outcome, entry }: NhnEntry,
  channel: Channel,
  fromMs: number,
): ListedMessage[] {
  const [, key, digits] = /^(.+):(\d+)$/.exec(textOf(entry.recipientGroupingKey) ?? '') ?? []
  const attempt = attemptOf(digits)
  if (key === undefined || attempt === undefined) return []
  return [
    {
      key,
      attempt,
      channel,
      to: textOf(entry.recipientNo) ?? null,
      messageId,
      sentAt:
        instantOf(entry.requestDate) ??
        instantOf(entry.createDate) ??
        Temporal.Instant.fromEpochMilliseconds(fromMs),
      delivered: outcome.kind === 'delivered',
    },
  ]
}
