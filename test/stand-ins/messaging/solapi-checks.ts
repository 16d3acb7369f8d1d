import { createHmac, timingSafeEqual } from 'node:crypto'
import { recordOf, textOf } from '#base/text/untrusted-json.ts'
import { failureAwaiting, magicOf } from '#providers/messaging/magic-numbers.ts'
import { eucKrBytes } from './euc-kr.ts'
import { fillTemplate } from './ids.ts'
import type { Sent } from './phones.ts'

const WINDOW_MS = 15 * 60_000
const MAX_SEEN = 200_000

export interface SolapiAccount {
  apiKey: string
  apiSecret: string
  senders: readonly string[]
  channelId: string
  templates: Readonly<Record<string, string>>
}

// The name of the error, or undefined for a good signature. One is good once.
export function createSignatureCheck(
  account: SolapiAccount,
): (header: string | undefined) => string | undefined {
  const seen = new Set<string>()
  return (header) => {
    const parts = /^HMAC-SHA256 apiKey=(\S+), date=(\S+), salt=(\S+), signature=([0-9a-f]{64})$/.exec(
      header ?? '',
    )
    if (!parts) return 'Unauthorized'
    const [, apiKey, date, salt, signature] = parts as unknown as [string, string, string, string, string]
    if (apiKey !== account.apiKey) return 'InvalidAPIKey'
    if (salt.length < 12 || salt.length > 64) return 'InvalidSignatureSalt'
    if (!(Math.abs(Date.now() - Date.parse(date)) <= WINDOW_MS)) return 'RequestTimeTooSkewed'
    const expected = createHmac('sha256', account.apiSecret).update(`${date}${salt}`).digest()
    if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return 'SignatureDoesNotMatch'
    if (seen.has(signature)) return 'DuplicatedSignature'
    if (seen.size >= MAX_SEEN) seen.clear()
    seen.add(signature)
    return undefined
  }
}

export type Checked = Omit<Sent, 'messageId' | 'groupId' | 'sequence' | 'atMs'>

// A message's status code if it is refused, or what is to be sent.
export function checkSolapiMessage(
  account: SolapiAccount,
  message: Record<string, unknown>,
): string | Checked {
  const fields = recordOf(message.customFields)
  if (!Object.entries(fields).every(([name, value]) => name.length <= 30 && isShortText(value))) return '1032'
  const to = textOf(message.to) ?? ''
  if (!account.senders.includes(textOf(message.from) ?? '')) return '1062'
  const text = message.type === 'ATA' ? checkAlimtalk(account, message) : checkLms(message)
  if (typeof text !== 'object') return text
  if (magicOf(to)?.kind === 'no_balance') return '1030'
  const channel = message.type === 'ATA' ? 'alimtalk' : 'text'
  const attempt = Number(fields.attempt)
  // Unless told not to, a notification that fails goes out as a text instead: it reaches the phone all the same.
  const replaced = channel === 'alimtalk' && recordOf(message.kakaoOptions).disableSms !== true
  const failure = replaced ? undefined : failureAwaiting(to, channel, attempt)?.code.solapi
  return { channel, to, key: textOf(fields.key) ?? '', attempt, text: text.text, failure }
}

function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 100
}

function checkLms({ type, subject, text, kakaoOptions }: Record<string, unknown>): string | { text: string } {
  if (type !== 'LMS') return '1025'
  if (kakaoOptions !== undefined) return '1033'
  if (typeof text !== 'string' || typeof subject !== 'string') return '1010'
  const [subjectBytes, textBytes] = [eucKrBytes(subject), eucKrBytes(text)]
  if (subjectBytes === undefined || textBytes === undefined) return '1029'
  if (subjectBytes > 40) return '1014'
  return textBytes > 2_000 ? '1031' : { text }
}

function checkAlimtalk(account: SolapiAccount, message: Record<string, unknown>): string | { text: string } {
  const options = recordOf(message.kakaoOptions)
  if (options.pfId !== account.channelId) return '1041'
  const template = account.templates[textOf(options.templateId) ?? '']
  if (template === undefined) return '1042'
  const variables: Record<string, string> = {}
  for (const [name, value] of Object.entries(recordOf(options.variables))) {
    const bare = /^#\{(.+)\}$/.exec(name)?.[1]
    if (bare === undefined || typeof value !== 'string') return '1043'
    variables[bare] = value
  }
  const text = fillTemplate(template, variables)
  if (text === undefined) return '1043'
  return text.length > 1_000 ? '1031' : { text }
}
