// What the connections send. Plain data, as it crosses from the benchmark to the generator's process.
export type Plan =
  // Connection i buys with key i, and from the start again when there are fewer keys than connections.
  | { kind: 'buy'; keys: readonly string[]; firstPhone: number; idempotent?: boolean }
  | { kind: 'signup'; key: string; partner: string; firstPhone: number }
  | { kind: 'get'; key?: string; paths: readonly string[] }
  | { kind: 'as_member'; path: string; calls: readonly MemberCall[]; once: boolean }
  | { kind: 'post'; key?: string; path: string; bodies: readonly string[] }

// A member's session, and what is sent with it; nothing is asked for with GET.
export interface MemberCall {
  session: string
  body?: string
}

// Undefined when there is nothing left to send.
export type NextRequest = () => Buffer | undefined

// Korean mobile numbers 010-2000-0000 to 010-4999-9999: all of them valid, and enough for any run.
const FIRST_PHONE = 20_000_000
const LAST_PHONE = 49_999_999

export function requestsOf(plan: Plan, processes: number): (connection: number) => NextRequest {
  switch (plan.kind) {
    case 'buy':
      return purchases(plan)
    case 'signup':
      return signups(plan)
    case 'get':
      return inTurn(
        plan.paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: bench\r\n${bearer(plan.key)}\r\n`),
      )
    case 'as_member': {
      const texts = plan.calls.map((call) => asMember(plan.path, call))
      return plan.once ? onceEach(texts, processes) : inTurn(texts)
    }
    case 'post':
      return inTurn(plan.bodies.map((body) => post(plan.path, bearer(plan.key), body)))
  }
}

function asMember(path: string, { session, body }: MemberCall): string {
  const cookie = `Cookie: ingot_member=${session}\r\n`
  if (body === undefined) return `GET ${path} HTTP/1.1\r\nHost: bench\r\n${cookie}\r\n`
  return post(path, cookie, body)
}

function bearer(key: string | undefined): string {
  return key === undefined ? '' : `Authorization: Bearer ${key}\r\n`
}

function post(path: string, headers: string, body: string): string {
  const length = Buffer.byteLength(body)
  return (
    `POST ${path} HTTP/1.1\r\nHost: bench\r\n${headers}` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`
  )
}

function purchases(plan: Extract<Plan, { kind: 'buy' }>): (connection: number) => NextRequest {
  return numbered(plan.firstPhone, (connection) =>
    post(
      '/v2/partner/metal/giftcard/buy',
      bearer(plan.keys[connection % plan.keys.length]) +
        (plan.idempotent ? `Idempotency-Key: order-${NUMBER}\r\n` : ''),
      `{"phoneNumber":"010${NUMBER}","amount":50000}`,
    ),
  )
}

// Every call another person.
function signups(plan: Extract<Plan, { kind: 'signup' }>): (connection: number) => NextRequest {
  const ci = `${`bench${NUMBER}`.padEnd(86, 'Q0kgb2YgYSBwZXJzb24')}==`
  const mdn = `010${NUMBER}`
  const userInfo = { name: '홍길동', birthday: '19900131', nationality: 'K', mdn, gender: 'M', ci }
  const termsList = [{ termsId: 'marketing', agreeYn: 'Y' }]
  const body = JSON.stringify({ traceNo: `trace-${NUMBER}`, partner: plan.partner, userInfo, termsList })
  return numbered(plan.firstPhone, () => post('/v1/partners/signup', bearer(plan.key), body))
}

const NUMBER = '########'

// The next phone number stands wherever the text has NUMBER.
function numbered(
  firstPhone: number,
  textOf: (connection: number) => string,
): (connection: number) => NextRequest {
  let phone = FIRST_PHONE + firstPhone
  return (connection) => {
    const request = Buffer.from(textOf(connection))
    const places: number[] = []
    for (let at = request.indexOf(NUMBER); at >= 0; at = request.indexOf(NUMBER, at + 1)) places.push(at)
    return () => {
      if (phone > LAST_PHONE) throw new Error('out of phone numbers')
      // Written into the one buffer of this connection: its last request has been answered by now.
      for (const place of places) request.write(String(phone), place, 'latin1')
      phone += 1
      return request
    }
  }
}

// Dealt out among the processes, so that each knows what the others are sent nothing of.
function onceEach(texts: readonly string[], processes: number): (connection: number) => NextRequest {
  const requests = texts.map((text) => Buffer.from(text))
  const next = Array.from({ length: processes }, (_, process) => process)
  return (connection) => {
    const process = connection % processes
    return () => {
      const request = requests[next[process]!]
      next[process]! += processes
      return request
    }
  }
}

function inTurn(texts: readonly string[]): () => NextRequest {
  const requests = texts.map((text) => Buffer.from(text))
  let next = 0
  return () => () => {
    next = (next + 1) % requests.length
    return requests[next]!
  }
}
