import { recordOf, textOf } from '#base/text/untrusted-json.ts'
import { failureAwaiting } from '#providers/messaging/magic-numbers.ts'
import type { Channel } from '#providers/messaging/port.ts'
import type { Reply, StandInRequest } from '#stand-ins/http.ts'
import { eucKrBytes } from './euc-kr.ts'
import { fillTemplate, newProviderId } from './ids.ts'
import type { Sent } from './phones.ts'
import type { Phase } from './reports.ts'
import { type StandIn, type StandInOptions, startStandIn, type Vendor } from './server.ts'

export interface NhnStandInOptions extends StandInOptions {
  alimtalkAppKey: string
  smsAppKey: string
  secretKey: string
  senderKey: string
  senders: readonly string[]
}

const IDEMPOTENCY_MS = 10 * 60_000
const MOST_DAYS = 30 // that one question may span

export function startNhnStandIn(options: NhnStandInOptions): Promise<StandIn> {
  const keysSeen = new Map<string, number>()
  const channels: Record<string, Channel> = {
    [`/alimtalk/v2.3/appkeys/${options.alimtalkAppKey}/messages`]: 'alimtalk',
    [`/sms/v3.0/appKeys/${options.smsAppKey}/sender/mms`]: 'text',
  }
  const handle = async (request: StandInRequest, vendor: Vendor): Promise<Reply> => {
    const channel = channels[request.path]
    if (!channel) return answer(-1000)
    if (request.headers['x-secret-key'] !== options.secretKey)
      return answer(channel === 'alimtalk' ? -1001 : -1000)
    if (request.method === 'GET') return list(request, vendor, channel)
    const idempotencyKey = textOf(request.headers['x-nc-api-idempotency-key'])
    if (channel === 'alimtalk' && idempotencyKey) {
      if ((keysSeen.get(idempotencyKey) ?? 0) > Date.now() - IDEMPOTENCY_MS) return answer(-1005)
      keysSeen.set(idempotencyKey, Date.now())
    }
    return send(options, request, vendor, channel)
  }
  return startStandIn(options, handle, (batch, phase) => ({
    headers: { 'x-toast-webhook-signature': options.reports?.secret ?? '' },
    body: {
      hooksId: newProviderId('', 11),
      webhookConfigId: 'config',
      productName: batch[0]?.channel === 'text' ? 'SMS' : 'KakaoTalk Bizmessage',
      event: 'MESSAGE_RESULT_UPDATE',
      hooks: batch.map((sent) => hookOf(sent, phase)),
    },
  }))
}

// Refusals come with status 200 too: the header says so.
function answer(resultCode: number, rest: object = {}): Reply {
  const isSuccessful = resultCode === 0
  const header = { isSuccessful, resultCode, resultMessage: isSuccessful ? 'SUCCESS' : 'refused' }
  return { status: 200, body: { header, ...rest } }
}

async function send(
  options: NhnStandInOptions,
  request: StandInRequest,
  vendor: Vendor,
  channel: Channel,
): Promise<Reply> {
  vendor.counts.sends++
  const body = recordOf(request.body)
  const { recipientList } = body
  if (!Array.isArray(recipientList) || recipientList.length === 0) return answer(-2001)
  if (recipientList.length > 1_000) return answer(channel === 'alimtalk' ? -2005 : -2016)
  const wrong = channel === 'alimtalk' ? checkSender(options, body) : checkText(options, body)
  if (wrong !== 0) return answer(wrong)
  const requestId = newProviderId('', 11)
  const taken: Sent[] = []
  const results = recipientList.map(recordOf).map((recipient, index) => {
    const recipientSeq = index + 1
    const name = textOf(recipient.recipientGroupingKey) ?? ''
    const text = channel === 'text' ? String(body.body) : alimtalkText(options, body, recipient)
    const to = textOf(recipient.recipientNo) ?? ''
    if (typeof text === 'string' && /^0\d{8,10}$/.test(to)) {
      // Unless told not to, a notification that fails goes out as a text instead: it reaches the phone all the same.
      const replaced = channel === 'alimtalk' && recordOf(recipient.resendParameter).isResend !== false
      const sent = sentOf({ channel, to, name, text, requestId, recipientSeq })
      taken.push(replaced ? { ...sent, failure: undefined } : sent)
    }
    const resultCode =
      typeof text === 'number' ? text : /^0\d{8,10}$/.test(to) ? 0 : channel === 'text' ? -2019 : -5000
    return { recipientSeq, recipientNo: to, resultCode, resultMessage: '', recipientGroupingKey: name }
  })
  const { senderGroupingKey } = body
  return vendor.take(request, taken, () =>
    channel === 'alimtalk'
      ? answer(0, { message: { requestId, senderGroupingKey, sendResults: results } })
      : answer(0, {
          body: { data: { requestId, statusCode: '2', senderGroupingKey, sendResultList: results } },
        }),
  )
}

function checkSender(options: NhnStandInOptions, body: Record<string, unknown>): number {
  if (body.senderKey !== options.senderKey) return -2017
  return options.templates[textOf(body.templateCode) ?? ''] === undefined ? -3003 : 0
}

function checkText(options: NhnStandInOptions, { title, body, sendNo }: Record<string, unknown>): number {
  if (!options.senders.includes(textOf(sendNo) ?? '')) return -2312
  const [titleBytes, bodyBytes] = [eucKrBytes(String(title)), eucKrBytes(String(body))]
  if (titleBytes === undefined || bodyBytes === undefined) return -2023
  return titleBytes > 40 || bodyBytes > 2_000 ? -2015 : 0
}

function alimtalkText(
  options: NhnStandInOptions,
  body: Record<string, unknown>,
  recipient: Record<string, unknown>,
): string | number {
  const variables = recordOf(recipient.templateParameter) as Record<string, string>
  const text = fillTemplate(options.templates[String(body.templateCode)]!, variables)
  if (text === undefined) return -3049
  return text.length > 1_000 ? -2019 : text
}

function sentOf(fields: {
  channel: Channel
  to: string
  name: string
  text: string
  requestId: string
  recipientSeq: number
}): Sent {
  const { channel, to, name, text, requestId, recipientSeq } = fields
  const [, key = '', attempt = '0'] = /^(.+):(\d+)$/.exec(name) ?? []
  return {
    messageId: `${requestId}/${recipientSeq}`,
    groupId: requestId,
    sequence: recipientSeq,
    channel,
    to,
    key,
    attempt: Number(attempt),
    text,
    atMs: Date.now(),
    failure: failureAwaiting(to, channel, Number(attempt))?.code.nhn[channel],
  }
}

function list({ query }: StandInRequest, vendor: Vendor, channel: Channel): Reply {
  vendor.counts.finds++
  const requestId = query.get('requestId')
  const [start, end] = [query.get('startRequestDate'), query.get('endRequestDate')]
  if (requestId === null && (start === null || end === null))
    return answer(channel === 'alimtalk' ? -4103 : -2011)
  if (requestId === null && seoul(end!) - seoul(start!) > MOST_DAYS * 86_400_000) return answer(-4104)
  const name = query.get('recipientGroupingKey')
  const candidates =
    requestId !== null
      ? vendor.phones.byGroup(requestId)
      : name !== null
        ? vendor.phones.byKey(name.replace(/:\d+$/, ''))
        : vendor.phones.all
  const fitting = candidates.filter(
    (sent) =>
      sent.channel === channel &&
      (requestId !== null || (sent.atMs >= seoul(start!) && sent.atMs <= seoul(end!))) &&
      (name === null || name === nameOf(sent)),
  )
  const pageSize = Math.min(Number(query.get('pageSize') ?? 15), 1_000)
  const first = (Number(query.get('pageNum') ?? 1) - 1) * pageSize
  const messages = fitting.slice(first, first + pageSize).map((sent) => recordFor(sent, vendor))
  const totalCount = fitting.length
  return channel === 'alimtalk'
    ? answer(0, { messageSearchResultResponse: { messages, totalCount } })
    : answer(0, { body: { pageNum: 1, pageSize: messages.length, totalCount, data: messages } })
}

function seoul(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}+09:00`)
}

// As theirs look: `2026-11-15 18:30:00.0`.
function seoulTime(atMs: number): string {
  const shifted = new Date(atMs + 9 * 3_600_000)
  return `${shifted.toISOString().slice(0, 19).replace('T', ' ')}.0`
}

function nameOf(sent: Sent): string {
  return `${sent.key}:${sent.attempt}`
}

function recordFor(sent: Sent, vendor: Vendor) {
  const settled = vendor.isSettled(sent)
  const common = {
    requestId: sent.groupId,
    recipientNo: sent.to,
    resultCode: settled ? (sent.failure ?? '1000') : null,
    recipientGroupingKey: nameOf(sent),
    requestDate: seoulTime(sent.atMs),
  }
  if (sent.channel === 'text') {
    return { ...common, mtPr: String(sent.sequence), msgStatus: settled ? (sent.failure ? '0' : '3') : '2' }
  }
  const messageStatus = settled ? (sent.failure ? 'FAILED' : 'COMPLETED') : 'SENDING'
  return { ...common, recipientSeq: sent.sequence, messageStatus }
}

function hookOf(sent: Sent, phase: Phase) {
  const common = {
    hookId: newProviderId('', 11),
    requestId: sent.groupId,
    recipientSeq: sent.sequence,
    recipientNo: sent.to,
    resultCode: phase === 'final' ? (sent.failure ?? '1000') : null,
  }
  if (sent.channel === 'alimtalk') {
    return { ...common, kakaoMessageType: 'ALIMTALK_NORMAL', recipientGroupingKey: nameOf(sent) }
  }
  const messageStatus = phase === 'carrier' ? 'SENDING' : sent.failure ? 'FAILED' : 'COMPLETED'
  // Misspelt, as their documents show it.
  return { ...common, senderType: 'NORMAL_MMS', messageStatus, recipientGropuingKey: nameOf(sent) }
}
