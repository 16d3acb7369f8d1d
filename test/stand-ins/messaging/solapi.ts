import { createHash } from 'node:crypto'
import { recordOf, textOf } from '#base/text/untrusted-json.ts'
import type { Reply, StandInRequest } from '#stand-ins/http.ts'
import { newProviderId } from './ids.ts'
import type { Sent } from './phones.ts'
import type { Phase } from './reports.ts'
import { type StandIn, type StandInOptions, startStandIn, type Vendor } from './server.ts'
import { checkSolapiMessage, createSignatureCheck, type SolapiAccount } from './solapi-checks.ts'

export interface SolapiStandInOptions extends StandInOptions, SolapiAccount {
  maxBatch?: number | undefined
  // Leaves our own fields out of the answer to sending, and out of its lists the given share of messages.
  answersWithoutFields?: boolean | undefined
  forgetsToMention?: ((key: string) => boolean) | undefined
}

const refused = (status: number, errorCode: string): Reply => ({
  status,
  body: { errorCode, errorMessage: '' },
})

export function startSolapiStandIn(options: SolapiStandInOptions): Promise<StandIn> {
  const checkSignature = createSignatureCheck(options)
  const handle = async (request: StandInRequest, vendor: Vendor): Promise<Reply> => {
    const wrong = checkSignature(request.headers.authorization)
    if (wrong) return refused(403, wrong)
    if (request.method === 'GET' && request.path === '/messages/v4/list') return list(request, vendor)
    if (request.method === 'POST' && request.path === '/messages/v4/send-many/detail') {
      return sendMany(options, request, vendor)
    }
    return refused(404, 'ResourceNotFound')
  }
  const secret = createHash('sha1')
    .update(options.reports?.secret ?? '')
    .digest('hex')
  return startStandIn(options, handle, (batch, phase) => ({
    headers: { 'x-solapi-event-name': 'SINGLE-REPORT', 'x-solapi-secret': secret },
    body: batch.map((sent) => reportOf(sent, phase)),
  }))
}

async function sendMany(
  options: SolapiStandInOptions,
  request: StandInRequest,
  vendor: Vendor,
): Promise<Reply> {
  vendor.counts.sends++
  const { messages, allowDuplicates, showMessageList } = recordOf(request.body)
  const limit = options.maxBatch ?? 10_000
  if (!Array.isArray(messages) || messages.length === 0 || messages.length > limit)
    return refused(400, 'ValidationError')
  // A malformed message spoils the whole request, one that breaks a rule only itself.
  if (!messages.every((message) => /^0\d{8,10}$/.test(textOf(recordOf(message).to) ?? ''))) {
    return refused(400, 'ValidationError')
  }
  const groupId = newProviderId('G4V', 15)
  const numbers = new Set<string>()
  const taken: Sent[] = []
  const failedMessageList: unknown[] = []
  for (const message of messages.map(recordOf)) {
    const messageId = newProviderId('M4V', 15)
    const doubled = allowDuplicates !== true && numbers.has(String(message.to))
    numbers.add(String(message.to))
    const checked = doubled ? '1026' : checkSolapiMessage(options, message)
    if (typeof checked === 'string') failedMessageList.push(failedEntry(options, message, messageId, checked))
    else taken.push({ ...checked, messageId, groupId, sequence: taken.length + 1, atMs: Date.now() })
  }
  return vendor.take(request, taken, () => {
    const messageList = taken
      .filter(({ key }) => !options.forgetsToMention?.(key))
      .map((sent) => ({
        messageId: sent.messageId,
        statusCode: '2000',
        statusMessage: '정상 접수(이통사로 접수 예정) ',
        ...(options.answersWithoutFields ? {} : { customFields: fieldsOf(sent) }),
      }))
    const count = {
      total: messages.length,
      registeredSuccess: taken.length,
      registeredFailed: failedMessageList.length,
    }
    const groupInfo = { groupId, status: 'SENDING', allowDuplicates: allowDuplicates === true, count }
    return {
      status: 200,
      body: { groupInfo, failedMessageList, ...(showMessageList ? { messageList } : {}) },
    }
  })
}

function failedEntry(
  options: SolapiStandInOptions,
  message: Record<string, unknown>,
  messageId: string,
  statusCode: string,
) {
  const { to, from, type, customFields } = message
  const entry = {
    to,
    from,
    type,
    country: '82',
    messageId,
    statusCode,
    statusMessage: '',
    accountId: '12925149',
  }
  return options.answersWithoutFields ? entry : { ...entry, customFields }
}

function fieldsOf(sent: Sent) {
  return { key: sent.key, attempt: String(sent.attempt) }
}

function list({ query }: StandInRequest, vendor: Vendor): Reply {
  vendor.counts.finds++
  const limit = Math.min(Number(query.get('limit') ?? 20), 500)
  const ids = [...query.getAll('messageIds'), ...query.getAll('messageId')]
  const candidates =
    ids.length > 0
      ? ids.flatMap((id) => vendor.phones.byId(id) ?? [])
      : query.has('to')
        ? vendor.phones.byNumber(query.get('to')!)
        : vendor.phones.all
  const from = Date.parse(query.get('startDate') ?? '1970-01-01')
  const until = Date.parse(query.get('endDate') ?? '9999-01-01')
  const fitting = candidates.filter(({ atMs }) => atMs >= from && atMs <= until)
  const startKey = query.get('startKey')
  const start = startKey === null ? 0 : fitting.findIndex(({ messageId }) => messageId === startKey)
  const page = fitting.slice(start, start + limit)
  const nextKey = fitting[start + limit]?.messageId ?? null
  const messageList = Object.fromEntries(page.map((sent) => [sent.messageId, storedMessage(sent, vendor)]))
  return { status: 200, body: { startKey, nextKey, limit, messageList } }
}

function storedMessage(sent: Sent, vendor: Vendor) {
  return {
    ...reportOf(sent, vendor.isSettled(sent) ? 'final' : 'carrier'),
    text: sent.text,
    accountId: '12925149',
  }
}

function reportOf(sent: Sent, phase: Phase) {
  const statusCode = phase === 'carrier' ? '3000' : (sent.failure ?? '4000')
  const at = new Date(sent.atMs).toISOString()
  return {
    messageId: sent.messageId,
    groupId: sent.groupId,
    type: sent.channel === 'alimtalk' ? 'ATA' : 'LMS',
    to: sent.to,
    country: '82',
    statusCode,
    networkCode: null,
    dateCreated: at,
    dateReported: at,
    customFields: fieldsOf(sent),
  }
}
