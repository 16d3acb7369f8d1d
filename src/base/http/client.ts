import { type Dispatcher, Pool } from 'undici'

export interface Timeouts {
  connectMs: number
  // From the request to the last byte of its answer.
  answerMs: number
}

export interface HttpOptions {
  url: string
  timeouts?: Partial<Timeouts> | undefined
  maxAnswerBytes?: number | undefined
  // What a status means with this service, if not the usual.
  statuses?: Readonly<Record<number, 'answered' | 'not_sent'>> | undefined
}

export interface HttpRequest {
  method: 'GET' | 'POST'
  // With its query.
  path: string
  headers: Record<string, string>
  body?: string
}

type Doubt = 'timeout' | 'connection_lost' | 'server_error' | 'answer_unreadable'

// The outcome of a request. Usually only statuses below 500 are answers, and only these say what the other side did.
export type Answer =
  | { kind: 'answered'; status: number; body: unknown }
  // Not a byte of it left: certain.
  | { kind: 'not_sent' }
  | { kind: 'in_doubt'; reason: Doubt }

export interface Http {
  exchange(request: HttpRequest): Promise<Answer>
  close(): Promise<void>
}

const TIMEOUTS: Timeouts = { connectMs: 3_000, answerMs: 10_000 }
// A list of 1,000 messages with their texts is about 5 MB.
const MAX_ANSWER_BYTES = 16 * 1024 * 1024
const CONNECTIONS = 16

export function createHttp(options: HttpOptions): Http {
  const { origin, pathname } = new URL(options.url)
  const prefix = pathname.replace(/\/$/, '')
  const { connectMs, answerMs } = { ...TIMEOUTS, ...options.timeouts }
  const limit = options.maxAnswerBytes ?? MAX_ANSWER_BYTES
  const readAnswer = (status: number, bytes: Buffer) => read(status, bytes, options.statuses?.[status])
  // The time for a whole answer is ours to keep: undici's own timers count each part of it by itself.
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    pipelining: 1,
    connect: { timeout: connectMs },
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    exchange: (request) =>
      exchange(pool, { ...request, path: `${prefix}${request.path}` }, { answerMs, limit, readAnswer }),
    // In-flight calls end within their time: close() waits for them.
    close: () => pool.close(),
  }
}

interface ExchangeLimits {
  answerMs: number
  limit: number
  readAnswer(status: number, bytes: Buffer): Answer
}

// undici calls the handler before the first byte is written. An earlier failure (name, connection, TLS, time in the
// queue) certainly sent nothing. After a later one the request may have been received.
function exchange(
  pool: Pool,
  request: HttpRequest,
  { answerMs, limit, readAnswer }: ExchangeLimits,
): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  let controller: Dispatcher.DispatchController | undefined
  let status = 0
  let size = 0
  let over = false
  const chunks: Buffer[] = []

  const finish = (answer: Answer) => {
    over = true
    clearTimeout(timer)
    resolve(answer)
  }
  const giveUp = (reason: Doubt) => {
    if (over) return
    finish(controller ? { kind: 'in_doubt', reason } : { kind: 'not_sent' })
    controller?.abort(new Error(reason))
  }
  const timer = setTimeout(giveUp, answerMs, 'timeout')

  pool.dispatch(
    { ...request, body: request.body ?? null },
    {
      onRequestStart(started) {
        // Given up while it waited for a connection: it must not leave any more.
        if (over) return started.abort(new Error('timeout'))
        controller = started
      },
      onResponseStart(_, code) {
        status = code
      },
      onResponseData(_, chunk) {
        size += chunk.length
        if (size > limit) giveUp('answer_unreadable')
        else chunks.push(chunk)
      },
      onResponseEnd() {
        if (!over) finish(readAnswer(status, Buffer.concat(chunks)))
      },
      onResponseError() {
        giveUp('connection_lost')
      },
    },
  )
  return promise
}

function read(status: number, bytes: Buffer, meaning: 'answered' | 'not_sent' | undefined): Answer {
  if (meaning === 'not_sent') return { kind: 'not_sent' }
  if (status >= 500 && !meaning) return { kind: 'in_doubt', reason: 'server_error' }
  if (status === 408 && !meaning) return { kind: 'in_doubt', reason: 'timeout' }
  const body = parse(bytes)
  // A refusal needs no readable body to be one; a redirect is no answer.
  if (status >= 400) return { kind: 'answered', status, body }
  if (status >= 300 || body === undefined) return { kind: 'in_doubt', reason: 'answer_unreadable' }
  return { kind: 'answered', status, body }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
