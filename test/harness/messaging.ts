import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Secret } from '#base/crypto/secret.ts'
import { createNhn, type NhnOptions } from '#providers/messaging/nhn.ts'
import type {
  Asked,
  ListedMessage,
  ListedPage,
  MessageOutcome,
  OutgoingMessage,
  ProviderWatch,
} from '#providers/messaging/port.ts'
import { createSolapi, type SolapiOptions } from '#providers/messaging/solapi.ts'
import { type NhnStandInOptions, startNhnStandIn } from '#stand-ins/messaging/nhn.ts'
import { type SolapiStandInOptions, startSolapiStandIn } from '#stand-ins/messaging/solapi.ts'

export const TEMPLATES = { KA01: '#{NAME}님이 금 상품권을 보냈습니다.\nPIN #{PIN}' }
export const HOOK_SECRET = 'a secret of ours'
export const NUMBER = '+821012345678'

// Nothing of it may be seen in an error or a measurement.
export const PIN = '7777-8888-9999'

export function alimtalk(key: string, to = NUMBER, attempt = 1): OutgoingMessage {
  const variables = { NAME: '홍길동', PIN }
  const text = `홍길동님이 금 상품권을 보냈습니다.\nPIN ${PIN}`
  return {
    key,
    attempt,
    to,
    content: { channel: 'alimtalk', templateIds: { solapi: 'KA01', nhn: 'KA01' }, variables, text },
  }
}

export function text(key: string, to = NUMBER, attempt = 1): OutgoingMessage {
  return { key, attempt, to, content: { channel: 'text', subject: '금 상품권', text: `PIN ${PIN}` } }
}

export const magic = (digits: string) => `+82100000${digits}`

export function ask(message: OutgoingMessage, outcome?: MessageOutcome): Asked {
  const { key, attempt, to, content } = message
  const messageId = outcome && 'messageId' in outcome ? outcome.messageId : null
  return { key, attempt, to, channel: content.channel, messageId, sentAt: Temporal.Now.instant() }
}

// "refused no_balance later": a word in one line, without its id.
export function brief(outcome: MessageOutcome | undefined): string {
  if (!outcome) return 'nothing'
  const parts: string[] = [outcome.kind]
  if ('reason' in outcome) parts.push(outcome.reason)
  if ('retryable' in outcome && outcome.retryable) parts.push('retryable')
  return parts.join(' ')
}

// Every page of a list, to its end.
export async function listAll(
  list: (cursor: string | null) => Promise<ListedPage>,
): Promise<ListedMessage[]> {
  const found: ListedMessage[] = []
  for (let cursor: string | null = null; ; ) {
    const page = await list(cursor)
    if (page.kind !== 'page') throw new Error(page.reason)
    found.push(...page.messages)
    if (page.next === null) return found
    cursor = page.next
  }
}

export interface Watched extends ProviderWatch {
  readonly lines: string[]
}

export function createWatch(): Watched {
  const lines: string[] = []
  return {
    lines,
    onRequest: ({ provider, call, outcome }) => lines.push(`${provider} ${call} ${outcome}`),
    onCircuit: (provider, channels, open) =>
      lines.push(`${provider} ${channels} ${open ? 'open' : 'closed'}`),
  }
}

// Neither the circuit nor a busy machine is in the way unless it is what is tried.
const PATIENT = { timeouts: { answerMs: 5_000 }, circuit: { failures: 1_000 } }
// For what is never answered.
export const IMPATIENT = { timeouts: { answerMs: 250 } }

export async function startSolapi(
  standInOptions: Partial<SolapiStandInOptions> = {},
  options: Partial<SolapiOptions> = {},
) {
  const standIn = await startSolapiStandIn({
    apiKey: 'NCSAYU7YDBXYORXC',
    apiSecret: 'solapi secret',
    senders: ['0212345678'],
    channelId: 'KA01PF',
    templates: TEMPLATES,
    ...standInOptions,
  })
  const watch = createWatch()
  const provider = createSolapi({
    url: standIn.url,
    apiKey: 'NCSAYU7YDBXYORXC',
    apiSecret: new Secret('solapi secret'),
    sender: '0212345678',
    channelId: 'KA01PF',
    webhookSecret: new Secret(HOOK_SECRET),
    watch,
    ...PATIENT,
    ...options,
  })
  const close = () => Promise.all([standIn.close(), provider.close()])
  return { standIn, provider, watch, [Symbol.asyncDispose]: async () => void (await close()) }
}

export async function startNhn(
  standInOptions: Partial<NhnStandInOptions> = {},
  options: Partial<NhnOptions> = {},
) {
  const standIn = await startNhnStandIn({
    alimtalkAppKey: 'kakao-app',
    smsAppKey: 'sms-app',
    secretKey: 'nhn secret',
    senderKey: 'sender-key',
    senders: ['15446859'],
    templates: TEMPLATES,
    ...standInOptions,
  })
  const watch = createWatch()
  const secretKey = new Secret<'nhn'>('nhn secret')
  const provider = createNhn({
    alimtalk: { url: standIn.url, appKey: 'kakao-app', secretKey, senderKey: 'sender-key' },
    text: { url: standIn.url, appKey: 'sms-app', secretKey, sender: '15446859' },
    webhookSecret: new Secret(HOOK_SECRET),
    watch,
    ...PATIENT,
    ...options,
  })
  const close = () => Promise.all([standIn.close(), provider.close()])
  return { standIn, provider, watch, [Symbol.asyncDispose]: async () => void (await close()) }
}

export interface Post {
  headers: IncomingHttpHeaders
  raw: Buffer
}

// Where reports are posted to.
export async function startReceiver() {
  const posts: Post[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    posts.push({ headers: request.headers, raw: Buffer.concat(chunks) })
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/any`,
    posts,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
