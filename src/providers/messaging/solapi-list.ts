import type { Answer } from '#base/http/client.ts'
import { recordOf, textOf } from '#base/text/untrusted-json.ts'
import { type Caller, pageWithout } from './caller.ts'
import type { ListedMessage, ListedPage, ListWindow, MessageOutcome } from './port.ts'
import { solapiStatus } from './solapi-codes.ts'
import { attemptOf, instantOf } from './wire-values.ts'

const PATH = '/messages/v4/list'
export const SOLAPI_PAGE = 500 // the most they give at once

export interface SolapiEntry {
  id: string
  outcome: MessageOutcome
  // Our own, as they came back.
  fields: Record<string, unknown>
  entry: Record<string, unknown>
}

type Page = { entries: SolapiEntry[]; next: string | null }

// One page of their list. It also has the text of each message, which is a secret: nothing here keeps it.
export async function solapiPage(
  caller: Caller,
  sign: () => string,
  query: URLSearchParams,
): Promise<Page | Exclude<Answer, { kind: 'answered' }>> {
  const answer = await caller.find({
    method: 'GET',
    path: `${PATH}?${query}`,
    headers: { authorization: sign() },
  })
  if (answer.kind !== 'answered') return answer
  const { messageList, nextKey } = recordOf(answer.body)
  if (answer.status >= 400 || typeof messageList !== 'object' || messageList === null) {
    return { kind: 'in_doubt', reason: 'answer_unreadable' }
  }
  // An object keyed by message id, or a list: both hold the messages as values.
  const entries = Object.values(messageList)
    .map(recordOf)
    .flatMap((entry) => {
      const [code, id] = [textOf(entry.statusCode), textOf(entry.messageId)]
      if (code === undefined || id === undefined) return []
      return [{ id, outcome: solapiStatus(code, id), fields: recordOf(entry.customFields), entry }]
    })
  return { entries, next: textOf(nextKey) ?? null }
}

export async function listAtSolapi(
  caller: Caller,
  sign: () => string,
  { from, until }: ListWindow,
  cursor: string | null,
): Promise<ListedPage> {
  const query = new URLSearchParams({
    dateType: 'CREATED',
    startDate: from.toString(),
    endDate: until.toString(),
    limit: String(SOLAPI_PAGE),
    ...(cursor === null ? {} : { startKey: cursor }),
  })
  const page = await solapiPage(caller, sign, query)
  if (!('entries' in page)) return pageWithout(page)
  return { kind: 'page', messages: page.entries.flatMap((entry) => toListed(entry, from)), next: page.next }
}

// Only what carries a key of ours: an account may be shared.
function toListed({ id, outcome, fields, entry }: SolapiEntry, from: Temporal.Instant): ListedMessage[] {
  const [key, attempt] = [textOf(fields.key), attemptOf(fields.attempt)]
  if (key === undefined || attempt === undefined) return []
  return [
    {
      key,
      attempt,
      channel: entry.type === 'ATA' ? 'alimtalk' : 'text',
      to: textOf(entry.to) ?? null,
      messageId: id,
      sentAt: instantOf(entry.dateCreated) ?? from,
      delivered: outcome.kind === 'delivered',
    },
  ]
}
