import type { Answer } from '#base/http/client.ts'
import { listOf, recordOf, textOf } from '#base/text/untrusted-json.ts'
import { type Caller, outcomeWithout } from './caller.ts'
import type { MessageOutcome, OutgoingMessage } from './port.ts'
import { solapiRefusal, solapiRegistration } from './solapi-codes.ts'
import { nationalNumber } from './wire-values.ts'

interface Sender {
  sender: string
  channelId: string
}

// One bad message gets its whole call refused. It is found by halving, in at most so many calls.
const MAX_CALLS = 40
const LATER: MessageOutcome = { kind: 'refused', reason: 'bad_request', retryable: true }

function refuse(message: OutgoingMessage): MessageOutcome | undefined {
  if (nationalNumber(message.to) === undefined) {
    return { kind: 'refused', reason: 'bad_request', retryable: false }
  }
  const { content } = message
  return content.channel === 'alimtalk' && content.templateIds.solapi === undefined
    ? { kind: 'refused', reason: 'no_template', retryable: false }
    : undefined
}

export async function sendToSolapi(
  caller: Caller,
  sign: () => string,
  sender: Sender,
  messages: readonly OutgoingMessage[],
): Promise<MessageOutcome[]> {
  const outcomes = new Map<OutgoingMessage, MessageOutcome>()
  for (const message of messages) {
    const refusal = refuse(message)
    if (refusal) outcomes.set(message, refusal)
  }
  const isLate = caller.startClock()
  const sendable = messages.filter((message) => !outcomes.has(message))
  const waiting = sendable.length > 0 ? [sendable] : []
  for (let calls = 0; waiting.length > 0; calls++) {
    const batch = waiting.pop()!
    if (calls === MAX_CALLS || (calls > 0 && isLate())) {
      for (const message of [...batch, ...waiting.flat()]) outcomes.set(message, LATER)
      break
    }
    const answer = await put(caller, sign, sender, batch)
    if (batch.length > 1 && isRefusedAsBad(answer)) {
      waiting.push(batch.slice(0, batch.length >> 1), batch.slice(batch.length >> 1))
      continue
    }
    const said = readSending(batch, answer)
    for (const [index, message] of batch.entries()) outcomes.set(message, said[index]!)
  }
  return messages.map((message) => outcomes.get(message)!)
}

function put(caller: Caller, sign: () => string, sender: Sender, batch: readonly OutgoingMessage[]) {
  return caller.send({
    method: 'POST',
    path: '/messages/v4/send-many/detail',
    headers: { authorization: sign(), 'content-type': 'application/json' },
    body: JSON.stringify({
      messages: batch.map((message) => wireOf(sender, message)),
      // Two cards for one person are two messages.
      allowDuplicates: true,
      showMessageList: true,
    }),
  })
}

function isRefusedAsBad(answer: Answer | undefined): boolean {
  if (answer?.kind !== 'answered' || answer.status < 400) return false
  return refusalOf(answer).reason === 'bad_request'
}

function refusalOf({ status, body }: Extract<Answer, { kind: 'answered' }>) {
  return solapiRefusal(status, textOf(recordOf(body).errorCode) ?? '')
}

function wireOf(sender: Sender, { key, attempt, to, content }: OutgoingMessage) {
  const common = {
    to: nationalNumber(to),
    from: sender.sender,
    customFields: { key, attempt: String(attempt) },
  }
  if (content.channel === 'text') {
    return { ...common, type: 'LMS', subject: content.subject, text: content.text }
  }
  const variables = Object.entries(content.variables).map(([name, value]) => [`#{${name}}`, value])
  return {
    ...common,
    type: 'ATA',
    kakaoOptions: {
      pfId: sender.channelId,
      templateId: content.templateIds.solapi,
      variables: Object.fromEntries(variables),
      // The text message is a delivery of its own.
      disableSms: true,
    },
  }
}

function readSending(batch: readonly OutgoingMessage[], answer: Answer | undefined): MessageOutcome[] {
  if (answer?.kind !== 'answered') return batch.map(() => outcomeWithout(answer))
  if (answer.status >= 400) return batch.map(() => refusalOf(answer))
  const body = recordOf(answer.body)
  const said = new Map<string, MessageOutcome>()
  for (const entry of [...listOf(body.failedMessageList), ...listOf(body.messageList)]) {
    const owner = ownerOf(entry, batch)
    const code = textOf(entry.statusCode)
    if (!owner || !code) continue
    const outcome = solapiRegistration(code, textOf(entry.messageId) ?? null)
    // Named in both lists, it counts as taken: what was taken is never sent again blindly.
    if (said.get(owner)?.kind !== 'accepted') said.set(owner, outcome)
  }
  return batch.map((message) => said.get(nameOf(message)) ?? { kind: 'unknown', reason: 'not_mentioned' })
}

// The list of accepted messages names no numbers, and one number may be in a batch twice. Our own fields say which
// message an entry is. Without them an entry counts only if no other message can be meant.
function ownerOf(entry: Record<string, unknown>, batch: readonly OutgoingMessage[]): string | undefined {
  const fields = recordOf(entry.customFields)
  const key = textOf(fields.key)
  if (key !== undefined) return `${key} ${textOf(fields.attempt)}`
  const to = textOf(entry.to)
  const meant = to === undefined ? batch : batch.filter((message) => nationalNumber(message.to) === to)
  return meant.length === 1 ? nameOf(meant[0]!) : undefined
}

function nameOf({ key, attempt }: { key: string; attempt: number }): string {
  return `${key} ${attempt}`
}

export function blamesAccount(body: unknown): boolean {
  const { errorCode, failedMessageList, messageList } = recordOf(body)
  if (errorCode !== undefined) {
    const { reason } = solapiRefusal(400, textOf(errorCode) ?? '')
    return reason === 'no_balance' || reason === 'unauthorized'
  }
  const failed = listOf(failedMessageList)
  const taken = listOf(messageList).some((entry) => textOf(entry.statusCode) === '2000')
  return (
    !taken && failed.length > 0 && failed.every((entry) => /^10[23]0$/.test(textOf(entry.statusCode) ?? ''))
  )
}
