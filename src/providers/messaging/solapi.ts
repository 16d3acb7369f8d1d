import { createHash } from 'node:crypto'
import { assert } from '#base/assert.ts'
import type { Secret } from '#base/secret.ts'
import { type Caller, createCaller, wordWithout } from './caller.ts'
import type { CircuitOptions } from './circuit.ts'
import type { Answer, Timeouts } from './http.ts'
import type { MessagingProvider, OutgoingMessage, ProviderWatch, ReportHook, Word } from './port.ts'
import { attemptOf, isSameSecret, listOf, nationalNumber, recordOf, textOf } from './reading.ts'
import { signSolapi } from './solapi-auth.ts'
import { solapiRefusal, solapiRegistration, solapiStatus } from './solapi-codes.ts'
import { findAtSolapi } from './solapi-find.ts'

export interface SolapiOptions {
  url: string
  apiKey: string
  apiSecret: Secret<'solapi'>
  // Registered with the provider, digits only.
  sender: string
  // The KakaoTalk channel's pfId.
  channelId: string
  webhookSecret: Secret<'solapi-webhook'> | undefined
  watch: ProviderWatch
  timeouts?: Partial<Timeouts> | undefined
  circuit?: CircuitOptions | undefined
  pollAfterMs?: number | undefined
  absentAfterMs?: number | undefined
}

// They take 10,000 in a call. One lost answer leaves a whole call in doubt, so ours are smaller.
const MAX_BATCH = 500
const POLL_AFTER_MS = 60_000
// A signature is good for 15 minutes: a request still under way by then is refused when it arrives.
const ABSENT_AFTER_MS = 16 * 60_000
// One bad message gets its whole call refused. It is found by halving, in at most so many calls.
const MAX_CALLS = 40

export function createSolapi(options: SolapiOptions): MessagingProvider {
  const caller = createCaller({
    ...options,
    provider: 'solapi',
    channels: ['alimtalk', 'text'],
    blamesAccount,
  })
  const sign = () => signSolapi(options.apiKey, options.apiSecret)
  return {
    name: 'solapi',
    channels: ['alimtalk', 'text'],
    maxBatch: MAX_BATCH,
    pollAfterMs: options.pollAfterMs ?? POLL_AFTER_MS,
    absentAfterMs: options.absentAfterMs ?? ABSENT_AFTER_MS,
    isAvailable: () => caller.isAvailable(),
    async send(messages) {
      assert(messages.length <= MAX_BATCH, 'the caller keeps to maxBatch')
      const words = new Map<OutgoingMessage, Word>()
      const sendable = messages.filter((message) => {
        const refusal = refuse(message)
        if (refusal) words.set(message, refusal)
        return !refusal
      })
      await sendHalving(caller, options, sign, sendable, words)
      return messages.map((message) => words.get(message) ?? { kind: 'unknown', reason: 'not_mentioned' })
    },
    find: (asked) => findAtSolapi(caller, sign, asked),
    hook: options.webhookSecret && createHook(options.webhookSecret),
    close: () => caller.close(),
  }
}

function refuse(message: OutgoingMessage): Word | undefined {
  if (nationalNumber(message.to) === undefined) {
    return { kind: 'refused', reason: 'bad_request', retryable: false }
  }
  const { content } = message
  return content.channel === 'alimtalk' && content.templateIds.solapi === undefined
    ? { kind: 'refused', reason: 'no_template', retryable: false }
    : undefined
}

async function sendHalving(
  caller: Caller,
  options: SolapiOptions,
  sign: () => string,
  messages: readonly OutgoingMessage[],
  words: Map<OutgoingMessage, Word>,
): Promise<void> {
  const waiting = messages.length > 0 ? [messages] : []
  for (let calls = 0; waiting.length > 0; calls++) {
    const batch = waiting.pop()!
    if (calls >= MAX_CALLS) {
      for (const message of batch)
        words.set(message, { kind: 'refused', reason: 'bad_request', retryable: true })
      continue
    }
    const answer = await caller.send({
      method: 'POST',
      path: '/messages/v4/send-many/detail',
      headers: { authorization: sign(), 'content-type': 'application/json' },
      body: JSON.stringify({
        messages: batch.map((message) => wireOf(options, message)),
        // Two cards for one person are two messages.
        allowDuplicates: true,
        showMessageList: true,
      }),
    })
    const said = readSending(batch, answer)
    if (
      batch.length > 1 &&
      isRefusedWhole(answer) &&
      said[0]!.kind === 'refused' &&
      said[0].reason === 'bad_request'
    ) {
      const half = batch.length >> 1
      waiting.push(batch.slice(0, half), batch.slice(half))
      continue
    }
    for (const [index, message] of batch.entries()) words.set(message, said[index]!)
  }
}

function isRefusedWhole(answer: Answer | undefined): boolean {
  return answer?.kind === 'answered' && answer.status >= 400
}

function wireOf(options: SolapiOptions, { key, attempt, to, content }: OutgoingMessage) {
  const common = {
    to: nationalNumber(to),
    from: options.sender,
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
      pfId: options.channelId,
      templateId: content.templateIds.solapi,
      variables: Object.fromEntries(variables),
      // The text message is a delivery of its own.
      disableSms: true,
    },
  }
}

function readSending(batch: readonly OutgoingMessage[], answer: Answer | undefined): Word[] {
  if (answer?.kind !== 'answered') return batch.map(() => wordWithout(answer))
  const body = recordOf(answer.body)
  if (answer.status >= 400) {
    const refusal = solapiRefusal(answer.status, textOf(body.errorCode) ?? '')
    return batch.map(() => refusal)
  }
  const said = new Map<string, Word>()
  for (const entry of [...listOf(body.failedMessageList), ...listOf(body.messageList)]) {
    const owner = ownerOf(entry, batch)
    const code = textOf(entry.statusCode)
    if (!owner || !code) continue
    const word = solapiRegistration(code, textOf(entry.messageId) ?? null)
    // Named in both lists, it counts as taken: what was taken is never sent again blindly.
    if (said.get(owner)?.kind !== 'accepted') said.set(owner, word)
  }
  return batch.map((message) => said.get(nameOf(message)) ?? { kind: 'unknown', reason: 'not_mentioned' })
}

// The list of what was taken names no numbers, and one number may stand twice in a batch: our own fields say whose
// an entry is. Without them an entry is only believed where nobody else can be meant.
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

function blamesAccount(body: unknown): boolean {
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

function createHook(secret: Secret<'solapi-webhook'>): ReportHook {
  // The header carries the secret's SHA-1 in hex; older documents show the secret itself.
  const hashed = createHash('sha1').update(secret.reveal()).digest('hex')
  return {
    isAuthentic(headers) {
      const given = headers['x-solapi-secret']
      const first = isSameSecret(given, hashed)
      return isSameSecret(given, secret.reveal()) || first
    },
    read(body) {
      if (!Array.isArray(body)) return undefined
      return listOf(body).flatMap((entry) => {
        const fields = recordOf(entry.customFields)
        const [key, attempt, code] = [textOf(fields.key), attemptOf(fields.attempt), textOf(entry.statusCode)]
        if (key === undefined || attempt === undefined || code === undefined) return []
        return [{ key, attempt, word: solapiStatus(code, textOf(entry.messageId) ?? null) }]
      })
    },
  }
}
