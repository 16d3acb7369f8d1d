import type { Answer } from '#base/http/client.ts'
import { textOf } from '#base/text/untrusted-json.ts'
import { type Caller, outcomeWithout } from './caller.ts'
import type { Asked, MessageOutcome } from './port.ts'
import { SOLAPI_PAGE, type SolapiEntry, solapiPage } from './solapi-list.ts'
import { nationalNumber } from './wire-values.ts'
import { inChunks, inGroups, inParallel } from './work.ts'

// Keeps the address of a question under 4 KB.
const IDS_PER_QUESTION = 50
const MAX_PAGES = 10
const AT_ONCE = 4
// Their clock and ours need not agree, and a call may wait long before it is taken.
const BEFORE_MS = 5 * 60_000
const AFTER_MS = 30 * 60_000

type Found = Map<string, MessageOutcome>

// By message id where it is known; otherwise by number and time, and then by our own fields.
export async function findAtSolapi(
  caller: Caller,
  sign: () => string,
  asked: readonly Asked[],
): Promise<MessageOutcome[]> {
  const known = asked.filter((one) => one.messageId !== null)
  const rest = asked.filter((one) => one.messageId === null)
  const questions = [
    ...inChunks(known, IDS_PER_QUESTION).map((chunk) => ({ chunk, query: byIds(chunk) })),
    ...inGroups(rest, (one) => one.to).map((chunk) => ({ chunk, query: byNumber(chunk) })),
  ]
  const outcomes = new Map<Asked, MessageOutcome>()
  let trouble: Exclude<Answer, { kind: 'answered' }> | undefined
  const isLate = caller.startClock()
  await inParallel(questions, AT_ONCE, async ({ chunk, query }) => {
    if (isLate()) trouble = { kind: 'in_doubt', reason: 'timeout' }
    // One question that could not be put is enough to know that the others cannot be either.
    const found = trouble ?? (await listAll(caller, sign, query))
    if (!(found instanceof Map)) trouble = found
    for (const one of chunk) outcomes.set(one, found instanceof Map ? outcomeOf(found, one) : doubtOf(found))
  })
  return asked.map((one) => outcomes.get(one)!)
}

function byIds(chunk: readonly Asked[]): URLSearchParams {
  const query = new URLSearchParams({ limit: String(SOLAPI_PAGE) })
  for (const one of chunk) query.append('messageIds', one.messageId!)
  return query
}

function byNumber(chunk: readonly Asked[]): URLSearchParams {
  const times = chunk.map((one) => one.sentAt.epochMilliseconds)
  return new URLSearchParams({
    to: nationalNumber(chunk[0]!.to) ?? '',
    dateType: 'CREATED',
    startDate: isoOf(Math.min(...times) - BEFORE_MS),
    endDate: isoOf(Math.max(...times) + AFTER_MS),
    limit: String(SOLAPI_PAGE),
  })
}

function isoOf(epochMs: number): string {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toString()
}

async function listAll(
  caller: Caller,
  sign: () => string,
  query: URLSearchParams,
): Promise<Found | Exclude<Answer, { kind: 'answered' }>> {
  const found: Found = new Map()
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await solapiPage(caller, sign, query)
    if (!('entries' in answer)) return answer
    for (const entry of answer.entries) remember(found, entry)
    if (answer.next === null) return found
    query.set('startKey', answer.next)
  }
  return { kind: 'in_doubt', reason: 'answer_unreadable' }
}

function remember(found: Found, { id, outcome, fields }: SolapiEntry): void {
  found.set(id, outcome)
  found.set(`${textOf(fields.key)} ${textOf(fields.attempt)}`, outcome)
}

function outcomeOf(found: Found, one: Asked): MessageOutcome {
  return found.get(one.messageId ?? `${one.key} ${one.attempt}`) ?? { kind: 'absent' }
}

// A question cannot be refused in the sense a message can: what it asked about stays open.
function doubtOf(answer: Exclude<Answer, { kind: 'answered' }>): MessageOutcome {
  const outcome = outcomeWithout(answer)
  return outcome.kind === 'unknown' ? outcome : { kind: 'unknown', reason: 'connection_lost' }
}
