import { createHash } from 'node:crypto'
import type { Answer } from '#base/http/client.ts'
import { listOf, recordOf, textOf } from '#base/text/untrusted-json.ts'
import { outcomeWithout } from './caller.ts'
import { nhnRefusal } from './nhn-codes.ts'
import type { Product } from './nhn-list.ts'
import type { Channel, MessageOutcome, OutgoingMessage } from './port.ts'
import { nationalNumber } from './wire-values.ts'
import { inGroups, inParallel } from './work.ts'

interface Senders {
  senderKey: string
  sendNo: string
}

// Every text is a request of its own: only registered templates can differ by recipient.
const TEXTS_AT_ONCE = 16
const TOO_LATE: MessageOutcome = { kind: 'refused', reason: 'unreachable', retryable: true }

export async function sendToNhn(
  products: Readonly<Record<Channel, Product>>,
  senders: Senders,
  messages: readonly OutgoingMessage[],
): Promise<MessageOutcome[]> {
  const outcomes = new Map<OutgoingMessage, MessageOutcome>()
  for (const message of messages) {
    const refusal = refuse(message)
    if (refusal) outcomes.set(message, refusal)
  }
  const sendable = messages.filter((message) => !outcomes.has(message))
  const isLate = products.text.caller.startClock()
  await inParallel(batchesOf(sendable), TEXTS_AT_ONCE, async (batch) => {
    const { channel } = batch[0]!.content
    const said = isLate()
      ? batch.map(() => TOO_LATE)
      : await sendBatch(products[channel], senders, channel, batch)
    for (const [index, message] of batch.entries()) outcomes.set(message, said[index]!)
  })
  return messages.map((message) => outcomes.get(message)!)
}

function refuse({ to, content }: OutgoingMessage): MessageOutcome | undefined {
  if (nationalNumber(to) === undefined) return { kind: 'refused', reason: 'bad_request', retryable: false }
  return content.channel === 'alimtalk' && content.templateIds.nhn === undefined
    ? { kind: 'refused', reason: 'no_template', retryable: false }
    : undefined
}

// A request names one template for all its recipients.
function batchesOf(messages: readonly OutgoingMessage[]): OutgoingMessage[][] {
  return inGroups(messages, (message) =>
    message.content.channel === 'alimtalk' ? message.content.templateIds.nhn! : `text ${nhnName(message)}`,
  )
}

async function sendBatch(
  product: Product,
  senders: Senders,
  channel: Channel,
  batch: readonly OutgoingMessage[],
): Promise<MessageOutcome[]> {
  const batchKey = createHash('sha256').update(batch.map(nhnName).join('\n')).digest('hex').slice(0, 32)
  const answer = await product.caller.send({
    method: 'POST',
    path: product.path,
    headers: {
      'content-type': 'application/json;charset=UTF-8',
      'x-secret-key': product.secretKey.reveal(),
      // The same messages again within 10 minutes are refused. Texts know no such header.
      ...(channel === 'alimtalk' ? { 'x-nc-api-idempotency-key': batchKey } : {}),
    },
    body: JSON.stringify({ ...wireOf(senders, batch), senderGroupingKey: batchKey }),
  })
  return readSending(channel, batch, answer)
}

function wireOf(senders: Senders, batch: readonly OutgoingMessage[]) {
  const { content } = batch[0]!
  if (content.channel === 'text') {
    const { subject, text } = content
    return { title: subject, body: text, sendNo: senders.sendNo, recipientList: batch.map(recipientOf) }
  }
  return {
    senderKey: senders.senderKey,
    templateCode: content.templateIds.nhn,
    recipientList: batch.map((message) => ({
      ...recipientOf(message),
      ...(message.content.channel === 'alimtalk' ? { templateParameter: message.content.variables } : {}),
      // The text message is a delivery of its own.
      resendParameter: { isResend: false },
    })),
  }
}

function recipientOf(message: OutgoingMessage) {
  return { recipientNo: nationalNumber(message.to), recipientGroupingKey: nhnName(message) }
}

// Travels with the message as its grouping key, and comes back in lists and reports.
function nhnName({ key, attempt }: { key: string; attempt: number }): string {
  return `${key}:${attempt}`
}

function readSending(
  channel: Channel,
  batch: readonly OutgoingMessage[],
  answer: Answer | undefined,
): MessageOutcome[] {
  if (answer?.kind !== 'answered') return batch.map(() => outcomeWithout(answer))
  const body = recordOf(answer.body)
  const header = recordOf(body.header)
  const data = channel === 'alimtalk' ? recordOf(body.message) : recordOf(recordOf(body.body).data)
  const results = listOf(channel === 'alimtalk' ? data.sendResults : data.sendResultList)
  if (results.length === 0 && (header.isSuccessful !== true || answer.status >= 400)) {
    const refusal = refusalOf(channel, answer.status, textOf(header.resultCode))
    return batch.map(() => refusal)
  }
  const requestId = textOf(data.requestId)
  const said = new Map<string, MessageOutcome>()
  for (const entry of results) {
    const code = textOf(entry.resultCode)
    const owner = ownerOf(entry, batch)
    if (code === undefined || owner === undefined) continue
    const sequence = textOf(entry.recipientSeq)
    const messageId = requestId && sequence ? `${requestId}/${sequence}` : null
    said.set(owner, code === '0' ? { kind: 'accepted', messageId } : nhnRefusal(channel, code))
  }
  return batch.map((message) => said.get(nhnName(message)) ?? { kind: 'unknown', reason: 'not_mentioned' })
}

function refusalOf(channel: Channel, status: number, code: string | undefined): MessageOutcome {
  if (status === 429) return { kind: 'refused', reason: 'rate_limited', retryable: true }
  if (status === 401 || status === 403) return { kind: 'refused', reason: 'unauthorized', retryable: true }
  if (code === undefined && status < 400) return { kind: 'unknown', reason: 'answer_unreadable' }
  return nhnRefusal(channel, code ?? '')
}

// One number may be in a batch twice. So an entry is matched by number alone only if no other message can be meant.
function ownerOf(entry: Record<string, unknown>, batch: readonly OutgoingMessage[]): string | undefined {
  const name = textOf(entry.recipientGroupingKey)
  if (name !== undefined) return name
  const meant = batch.filter((message) => nationalNumber(message.to) === textOf(entry.recipientNo))
  return meant.length === 1 ? nhnName(meant[0]!) : undefined
}
